/**
 * Which of what stands beside the text is drawn: what is near the window, of a thousand cards a few
 * dozen. The others have their place all the same, as high as they were when they were drawn, or
 * about. It measures nothing but the elements that it is given.
 */
import { createStore, type Readable } from '../platform/store.ts'

export interface Slot {
  readonly id: string
  /** In the coordinates of the column. */
  readonly top: number
  readonly height: number
}

/** Screens above and below the window: within the one all is drawn, and then up to the other. */
const leastScreens = 0.5
const drawnScreens = 1.5

export class VisibleCards {
  readonly #ids = createStore<ReadonlySet<string>>(new Set())
  readonly #heights = new Map<string, number>()
  #slots: readonly Slot[] = []
  #guessPx = 0

  get ids(): Readable<ReadonlySet<string>> {
    return this.#ids
  }

  /** How high what was never drawn is, about. */
  guess(px: number): void {
    if (px === this.#guessPx) return
    this.#guessPx = px
    this.#heights.clear()
  }

  /** `element`: where it is drawn. */
  heightOf(id: string, element: HTMLElement | undefined): number {
    if (element === undefined) return this.#heights.get(id) ?? this.#guessPx
    const height = element.offsetHeight
    this.#heights.set(id, height)
    return height
  }

  /** All of them stand here now. */
  arranged(slots: readonly Slot[], columnTop: number, kept: readonly string[]): void {
    this.#slots = slots
    this.look(columnTop, kept)
  }

  /** `columnTop`: in the window. `kept`: drawn wherever they are. */
  look(columnTop: number, kept: readonly string[]): void {
    const known = this.#ids.get()
    const least = this.#within(columnTop, leastScreens)
    if ([...least, ...kept].every((id) => known.has(id))) return
    this.#ids.set(new Set([...this.#within(columnTop, drawnScreens), ...kept]))
  }

  #within(columnTop: number, screens: number): string[] {
    const { innerHeight } = window
    const from = -columnTop - innerHeight * screens
    const to = -columnTop + innerHeight * (1 + screens)
    return this.#slots
      .filter(({ top, height }) => top + height >= from && top <= to)
      .map(({ id }) => id)
  }
}
