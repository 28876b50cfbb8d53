/**
 * Two panes of one document scroll together: the block at the top of one is at the top of the
 * other, as far into it. One of them leads, the one that hands were on last; the other follows and
 * is never listened to while it does, so that neither drives the other round. It knows of a pane
 * only where its blocks begin.
 */

export interface Pane {
  /** How far it is scrolled. */
  top(): number
  scrollTo(top: number): void
  /** How far it is scrolled with this block at its top; the index behind the last: with none. */
  blockTop(index: number): number
  /** The block that reaches across its top; -1 before the first, the count behind the last. */
  topBlock(): number
  /** False while it is not to be seen. */
  isShown(): boolean
  /** What tells of its scrolling. */
  readonly scroller: EventTarget
  /** What is as tall as its text: an estimated height has become a measured one when it resizes. */
  readonly content: Element
}

interface Panes {
  readonly page: Pane
  readonly source: Pane
  /** What the source stands in: hands on it are on the source. */
  readonly sourceHost: Element
}

type Side = 'page' | 'source'

const hands = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
/** So long after the leader's last movement what moves the follower is its own layout. */
const settlesMs = 250
/** A place that was estimated is looked at again, so many times by who follows. */
const looksMax = 6
/** Enough for all that is measured on the way to one place; frames. */
const showsMax = 60
const calmFrames = 5

/** Keeps them together until the returned function is called; `leader` shows the other its place. */
export function scrollTogether(panes: Panes, first: Side): () => void {
  const { page, source, sourceHost } = panes
  let leader = first
  let movedAt = Number.NEGATIVE_INFINITY
  let frame = 0
  let looks = 0

  const follow = () => {
    frame = 0
    if (!page.isShown() || !source.isShown()) return
    const [ahead, behind] = leader === 'page' ? [page, source] : [source, page]
    const wanted = placeIn(behind, placeOf(ahead))
    if (Math.abs(wanted - behind.top()) < 1) return
    behind.scrollTo(wanted)
    if (++looks < looksMax) frame = requestAnimationFrame(follow)
  }
  const ask = () => {
    looks = 0
    if (frame === 0) frame = requestAnimationFrame(follow)
  }
  const onScroll = (side: Side) => (event: Event) => {
    if (side !== leader) {
      // Nobody's hands are seen on the window's own scroll bar, nor when a match is shown.
      const isOwn = side === 'page' && event.timeStamp > movedAt + settlesMs && frame === 0
      if (!isOwn) return
      leader = side
    }
    movedAt = event.timeStamp
    ask()
  }
  const onHands = (event: Event) => {
    leader = event.composedPath().includes(sourceHost) ? 'source' : 'page'
  }

  const ends = new AbortController()
  const passive = { passive: true, signal: ends.signal }
  page.scroller.addEventListener('scroll', onScroll('page'), passive)
  source.scroller.addEventListener('scroll', onScroll('source'), passive)
  const sizes = new ResizeObserver(ask)
  for (const { content } of [page, source]) sizes.observe(content)
  for (const kind of hands) {
    window.addEventListener(kind, onHands, { ...passive, capture: true })
  }
  return () => {
    ends.abort()
    sizes.disconnect()
    cancelAnimationFrame(frame)
  }
}

/** Where one reads: the same in each way of showing the text. */
export interface Place {
  readonly index: number
  /** How much of the way to the next block is above the top. */
  readonly part: number
}

/**
 * Scrolls there, in the frames that it takes until nothing between is estimated any more; hands
 * that scroll meanwhile have it their way.
 */
export function showPlace(pane: Pane, place: Place): void {
  const taken = new AbortController()
  for (const kind of ['wheel', 'touchstart'] as const) {
    pane.scroller.addEventListener(kind, () => taken.abort(), {
      passive: true,
      signal: taken.signal,
    })
  }
  let [looks, calm] = [0, 0]
  const show = () => {
    if (taken.signal.aborted) return
    const wanted = placeIn(pane, place)
    if (Math.abs(wanted - pane.top()) >= 1) {
      pane.scrollTo(wanted)
      calm = 0
    }
    // What it scrolled to is measured in the next frame, on a busy machine in a later one.
    if (++looks > showsMax || ++calm > calmFrames) taken.abort()
    else requestAnimationFrame(() => (pane.isShown() ? show() : taken.abort()))
  }
  show()
}

export function placeOf(pane: Pane): Place {
  const index = pane.topBlock()
  const [from, to] = [startOf(pane, index), startOf(pane, index + 1)]
  return { index, part: to > from ? Math.min(1, (pane.top() - from) / (to - from)) : 0 }
}

function placeIn(pane: Pane, { index, part }: Place): number {
  const [from, to] = [startOf(pane, index), startOf(pane, index + 1)]
  return from + part * Math.max(0, to - from)
}

const startOf = (pane: Pane, index: number): number => (index < 0 ? 0 : pane.blockTop(index))
