/**
 * When an artifact comes near the window, and whether its picture is looked at: most of it, or of
 * the window, for a moment. Knows nothing of what is done about that.
 */

/** What is near the window is looked up before it is seen. */
const near = '600px'
/** Parts of it that are in the window: from the first on it is seen, below the second no more. */
const seenFrom = 0.6
const unseenBelow = 0.2
/** Whoever scrolls past has not looked. */
const lookedAtMs = 700
const againMs = 100

export interface VisibilityParts {
  /** Called once. */
  readonly onNear: () => void
  readonly onSeen: (isSeen: boolean) => void
}

export class Visibility {
  readonly #onSeen: (isSeen: boolean) => void
  readonly #near: IntersectionObserver
  readonly #seen: IntersectionObserver
  #watched: HTMLElement | undefined
  #isSeen = false
  #timer: number | undefined

  constructor(dom: HTMLElement, { onNear, onSeen }: VisibilityParts) {
    this.#onSeen = onSeen
    this.#near = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        this.#near.disconnect()
        onNear()
      },
      { rootMargin: near },
    )
    this.#near.observe(dom)
    const threshold = [0, unseenBelow, 0.4, seenFrom, 0.8, 1]
    this.#seen = new IntersectionObserver((all) => this.#look(all), { threshold })
  }

  /** This is what is looked at from now on, in the place of what was. */
  watch(dom: HTMLElement): void {
    this.#seen.disconnect()
    this.#watched = dom
    this.#seen.observe(dom)
  }

  close(): void {
    window.clearTimeout(this.#timer)
    this.#near.disconnect()
    this.#seen.disconnect()
  }

  #look(all: readonly IntersectionObserverEntry[]): void {
    const entry = all.findLast(({ target }) => target === this.#watched)
    if (entry === undefined) return
    const { intersectionRatio, intersectionRect, rootBounds } = entry
    const ofWindow = intersectionRect.height / (rootBounds?.height ?? window.innerHeight)
    const part = Math.max(intersectionRatio, ofWindow)
    if (part >= seenFrom && !this.#isSeen) this.#wait()
    if (part < seenFrom) window.clearTimeout(this.#timer)
    if (part < unseenBelow && this.#isSeen) this.#tell(false)
  }

  #wait(ms = lookedAtMs): void {
    window.clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => {
      const dom = this.#watched
      // A picture that is not there yet has not been seen, nor has a page in the background.
      const isThere = !(dom instanceof HTMLImageElement) || dom.naturalWidth > 0
      if (document.hidden || !isThere) this.#wait(againMs)
      else this.#tell(true)
    }, ms)
  }

  #tell(isSeen: boolean): void {
    this.#isSeen = isSeen
    this.#onSeen(isSeen)
  }
}
