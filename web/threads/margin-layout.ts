/**
 * Where what belongs to threads stands beside the text: all lines are measured in one look, then
 * everything is put in its place in one go, once a frame and only when something moved. It knows
 * elements, not what is in them; that they come in another order it says in `order`, which of them
 * are to be drawn in `near`.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { cardTops } from './card-layout.ts'
import { draftId, rangesIn } from './highlights.ts'
import type { ThreadRange } from './thread-ranges.ts'
import { type Slot, VisibleCards } from './visible-cards.ts'

export interface Line {
  readonly id: string
  /** In the coordinates of the column. */
  readonly top: number
}

export interface MarginLayoutParts {
  readonly view: EditorView
  readonly active: () => string | undefined
}

type Ranges = ReadonlyMap<string, ThreadRange>

const glideMs = 220
/** Bubbles of lines as near as this are one. */
const sameLinePx = 10

export class MarginLayout {
  /** Those whose words stand in the text, in its order. */
  readonly order = createStore<readonly string[]>([])
  /** The same by the lines that they begin in. */
  readonly lines = createStore<readonly (readonly string[])[]>([])
  readonly near: Readable<ReadonlySet<string>>
  readonly #near = new VisibleCards()
  readonly #view: EditorView
  readonly #active: () => string | undefined
  readonly #cards = new Map<string, HTMLElement>()
  /** What stands at its line, drawn or not. */
  #shown: ReadonlySet<string> = new Set()
  readonly #tops = new Map<string, number>()
  /** Where lines are, until what they are in changes or what is above it may have. */
  readonly #lineTops = new Map<string, number>()
  readonly #text = new ResizeObserver(() => this.invalidate())
  readonly #sizes = new ResizeObserver(() => this.#look())
  readonly #stops: (() => void)[]
  #column: HTMLElement | undefined
  #frame = 0
  #scrolled = 0
  #gliding: number | undefined

  constructor({ view, active }: MarginLayoutParts) {
    this.#view = view
    this.#active = active
    this.near = this.#near.ids
    this.#text.observe(view.dom)
    const update = onViewUpdate(view, ({ state }, before) => {
      const [are, were] = [rangesIn(state), rangesIn(before)]
      if (state.doc !== before.doc) this.#forgetChanged(state.doc, before.doc)
      else if (are !== were) this.#forgetMoved(are, were)
      if (state.doc !== before.doc || are !== were) this.#look()
    })
    const invalidate = () => this.invalidate()
    document.fonts.addEventListener('loadingdone', invalidate)
    window.addEventListener('resize', invalidate)
    const scrolled = () => {
      if (view.dom.shadowRoot !== null) this.invalidate()
      else this.#scrolled ||= requestAnimationFrame(() => this.#lookNear())
    }
    window.addEventListener('scroll', scrolled, { passive: true })
    this.#stops = [
      () => window.removeEventListener('scroll', scrolled),
      update,
      () => document.fonts.removeEventListener('loadingdone', invalidate),
      () => window.removeEventListener('resize', invalidate),
    ]
    this.invalidate()
  }

  /** For `ref` of the column that the cards stand in. */
  readonly column = (element: HTMLElement | null): void => {
    this.#column = element ?? undefined
    this.#tops.clear()
    this.invalidate()
  }

  /** These stand at their lines, each about so high until it is drawn. */
  show(ids: Iterable<string>, heightPx: number): void {
    this.#shown = new Set(ids)
    this.#near.guess(heightPx)
    this.#look()
  }

  /** Anything may have moved. */
  invalidate(): void {
    this.#lineTops.clear()
    this.#look()
  }

  /** For `ref` of a card, or of what stands at the line of several. */
  put(id: string, element: HTMLElement | null): void {
    const known = this.#cards.get(id)
    if (known !== undefined) this.#sizes.unobserve(known)
    this.#tops.delete(id)
    if (element === null) this.#cards.delete(id)
    else {
      this.#cards.set(id, element)
      this.#sizes.observe(element)
    }
    this.#look()
  }

  /** Words of threads that were put elsewhere, or have come, stand in other lines. */
  #forgetMoved(are: Ranges, were: Ranges): void {
    for (const [id, { from, isBlock }] of are) {
      const was = were.get(id)
      if (was?.from !== from || was.isBlock !== isBlock) this.#lineTops.delete(id)
    }
  }

  /** In a text of the same height and the same blocks only lines of those that changed move. */
  #forgetChanged(doc: Node, before: Node): void {
    if (doc.childCount !== before.childCount) {
      this.#lineTops.clear()
      return
    }
    const start = before.content.findDiffStart(doc.content)
    const end = before.content.findDiffEnd(doc.content)
    if (start === null || end === null) return
    const from = doc.resolve(Math.min(start, doc.content.size))
    const to = doc.resolve(Math.min(Math.max(end.b, start), doc.content.size))
    const [first, last] = [
      from.depth === 0 ? from.pos : from.before(1),
      to.depth === 0 ? to.pos : to.after(1),
    ]
    for (const [id, range] of rangesIn(this.#view.state)) {
      if (range.to >= first && range.from <= last) this.#lineTops.delete(id)
    }
  }

  #look(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#arrange())
  }

  /** The next arrangement is seen on its way: somebody chose another card. */
  glide(): void {
    const column = this.#column
    if (column === undefined) return
    column.dataset['glides'] = ''
    window.clearTimeout(this.#gliding)
    this.#gliding = window.setTimeout(() => delete column.dataset['glides'], glideMs)
    this.#look()
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    cancelAnimationFrame(this.#scrolled)
    window.clearTimeout(this.#gliding)
    this.#sizes.disconnect()
    this.#text.disconnect()
    for (const stop of this.#stops) stop()
  }

  #arrange(): void {
    this.#frame = 0
    const column = this.#column
    if (this.#view.isDestroyed || column === undefined) return
    const { top } = column.getBoundingClientRect()
    const lines = this.#measured(top)
    const first = [...this.#cards.keys()].filter((id) => id.startsWith(topPrefix))
    const inText = lines.filter(({ id }) => this.#cards.has(id) || this.#shown.has(id))
    const wishes = [...first.map((id) => ({ id, top: 0 })), ...inText].map((line) => {
      const height = this.#near.heightOf(line.id, this.#cards.get(line.id))
      return { ...line, height }
    })
    const open = wishes.findIndex(({ id }) => id === this.#active())
    const tops = cardTops(wishes, open < 0 ? undefined : open)
    const slots = wishes.map((wish, index) => ({ ...wish, top: tops[index] ?? 0 }))
    // From here on nothing is measured.
    for (const slot of slots) this.#move(slot)
    const last = slots.at(-1)
    const end = last === undefined ? 0 : last.top + last.height
    column.style.minHeight = `${Math.round(end) + 80}px`
    this.#tell(lines)
    this.#near.arranged(slots, top, this.#kept())
  }

  #lookNear(): void {
    this.#scrolled = 0
    if (this.#column === undefined) return
    this.#near.look(this.#column.getBoundingClientRect().top, this.#kept())
  }

  /** What is open, or has the focus, is drawn wherever one scrolls. */
  #kept(): string[] {
    const focused = document.activeElement
    const kept = [...this.#cards].filter(
      ([id, element]) => id === this.#active() || element.contains(focused),
    )
    return kept.map(([id]) => id)
  }

  /** In a long document exactly near the window alone: elsewhere nothing is laid out. */
  #measured(columnTop: number): readonly Line[] {
    const { state, dom } = this.#view
    const isLong = dom.shadowRoot !== null
    const near = isLong ? visibleRange(this.#view, window.innerHeight) : undefined
    const found = [...rangesIn(state)].map(([id, range]) => ({ id, ...range }))
    found.sort((a, b) => a.from - b.from || a.to - b.to)
    const ids = new Set(found.map(({ id }) => id))
    for (const id of this.#lineTops.keys()) if (!ids.has(id)) this.#lineTops.delete(id)
    return found.map(({ id, from, isBlock }) => {
      const isNear = near === undefined || (from >= near.from && from <= near.to)
      const top =
        this.#lineTops.get(id) ??
        (isNear ? this.#lineTop(from, isBlock) : this.#aboutTop(from)) - columnTop
      this.#lineTops.set(id, top)
      return { id, top }
    })
  }

  /** By the group that its block is in, and where in it. */
  #aboutTop(from: number): number {
    const { dom, state } = this.#view
    const block = dom.children[state.doc.resolve(from).index(0)]
    const slot = block?.assignedSlot
    if (block === undefined || slot == null) return 0
    const { top, height } = slot.getBoundingClientRect()
    const all = slot.assignedElements()
    return top + (height * all.indexOf(block)) / Math.max(1, all.length)
  }

  #lineTop(from: number, isBlock: boolean): number {
    if (!isBlock) return this.#view.coordsAtPos(from, 1).top
    const element = this.#view.nodeDOM(from)
    return element instanceof HTMLElement ? element.getBoundingClientRect().top : 0
  }

  #move({ id, top: to }: Slot): void {
    const element = this.#cards.get(id)
    const top = Math.round(to)
    if (element === undefined || this.#tops.get(id) === top) return
    this.#tops.set(id, top)
    element.style.transform = `translateY(${top}px)`
    element.dataset['placed'] = ''
  }

  #tell(lines: readonly Line[]): void {
    const order = lines.map(({ id }) => id)
    if (order.join() !== this.order.get().join()) this.order.set(order)
    const groups: string[][] = []
    let last = Number.NEGATIVE_INFINITY
    for (const { id, top } of lines) {
      if (id === draftId) continue
      if (top - last > sameLinePx) groups.push([id])
      else groups.at(-1)?.push(id)
      last = Math.max(last, top)
    }
    if (JSON.stringify(groups) !== JSON.stringify(this.lines.get())) this.lines.set(groups)
  }
}

/** Ids of what stands at the top, whatever the text. */
export const topPrefix = 'top:'
