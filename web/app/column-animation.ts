/**
 * The column slides to its place when something comes to stand beside the text, or goes: the place
 * is taken at once, and only the way there is shown. Never under the hands of who is typing.
 */

/** What stands beside the text is said at the root, for the style sheets. */
const said = ['data-authors', 'data-view', 'data-text-width', 'data-threads']
const typingMs = 1000
const slideMs = 180

/** Watches until the returned function is called. */
export function animateColumn(column: HTMLElement): () => void {
  const ends = new AbortController()
  /** Undefined while the column is not to be seen. */
  let left: number | undefined
  let typedAt = Number.NEGATIVE_INFINITY
  const settle = () => {
    left = column.getClientRects()[0]?.left
  }
  const slide = () => {
    const before = left
    settle()
    if (before === undefined || left === undefined || before === left) return
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    if (isCalm || performance.now() < typedAt + typingMs) return
    const way = [{ translate: `${before - left}px 0` }, { translate: '0 0' }]
    const sliding = column.animate(way, {
      duration: slideMs,
      easing: 'cubic-bezier(0.2, 0, 0, 1)',
    })
    // What floats beside the text looks where it is now.
    sliding.onfinish = () => window.dispatchEvent(new Event('resize'))
  }
  const changes = new MutationObserver(slide)
  changes.observe(document.documentElement, { attributeFilter: said })
  settle()
  const resizes = new ResizeObserver(settle)
  resizes.observe(document.documentElement)
  const type = ({ timeStamp }: Event) => {
    typedAt = timeStamp
  }
  column.addEventListener('input', type, { signal: ends.signal })
  column.addEventListener('keydown', type, { signal: ends.signal })
  return () => {
    ends.abort()
    changes.disconnect()
    resizes.disconnect()
  }
}
