/**
 * Where what belongs to threads stands beside the text: all lines are measured in one look, then
 * everything is put in its place in one go, once a frame and only when something moved. It knows
 * elements, not what is in them; that they come in another order it says in `order`.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import { createStore } from '../platform/store.ts'
import { arranged } from './arrange.ts'
import { draftId, rangesIn } from './highlights.ts'

export interface Line {
  readonly id: string
  /** In the coordinates of the column. */
  readonly top: number
}

export interface MarginLayoutParts {
  readonly view: EditorView
  readonly active: () => string | undefined
}

const glideMs = 220
/** Bubbles of lines as near as this are one. */
const sameLinePx = 10

export class MarginLayout {
  /** Those whose words stand in the text, in its order. */
  readonly order = createStore<readonly string[]>([])
  /** The same by the lines that they begin in. */
  readonly lines = createStore<readonly (readonly string[])[]>([])
  readonly #view: EditorView
  readonly #active: () => string | undefined
  readonly #cards = new Map<string, HTMLElement>()
  readonly #tops = new Map<string, number>()
  /** Where lines are, until what they are in changes or what is above it may have. */
  readonly #lineTops = new Map<string, number>()
  readonly #text = new ResizeObserver(() => this.invalidate())
  readonly #sizes = new ResizeObserver(() => this.#look())
  readonly #stops: (() => void)[]
  #column: HTMLElement | undefined
  #frame = 0
  #gliding: number | undefined

  constructor({ view, active }: MarginLayoutParts) {
    this.#view = view
    this.#active = active
    this.#text.observe(view.dom)
    const update = onViewUpdate(view, ({ state }, before) => {
      if (state.doc !== before.doc) this.#forgetChanged(state.doc, before.doc)
      if (state.doc !== before.doc || rangesIn(state) !== rangesIn(before)) this.#look()
    })
    const invalidate = () => this.invalidate()
    document.fonts.addEventListener('loadingdone', invalidate)
    window.addEventListener('resize', invalidate)
    const scrolled = () => {
      if (view.dom.shadowRoot !== null) this.invalidate()
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

  /** In a text of the same height only lines of the blocks that changed move. */
  #forgetChanged(doc: Node, before: Node): void {
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
    const first = [...this.#cards].filter(([id]) => id.startsWith(topPrefix))
    const inText = lines.flatMap(({ id, top: at }) => {
      const element = this.#cards.get(id)
      return element === undefined ? [] : [{ id, element, top: at }]
    })
    const cards = [...first.map(([id, element]) => ({ id, element, top: 0 })), ...inText]
    const wishes = cards.map(({ element, top: at }) => ({ top: at, height: element.offsetHeight }))
    const open = cards.findIndex(({ id }) => id === this.#active())
    const tops = arranged(wishes, open < 0 ? undefined : open)
    // From here on nothing is measured.
    for (const [index, { id, element }] of cards.entries()) {
      this.#move(id, element, tops[index] ?? 0)
    }
    const last = tops.length - 1
    const end = last < 0 ? 0 : (tops[last] ?? 0) + (wishes[last]?.height ?? 0)
    column.style.minHeight = `${Math.round(end) + 80}px`
    this.#tell(lines)
  }

  /** In a long document exactly near the window alone: elsewhere nothing is laid out. */
  #measured(columnTop: number): readonly Line[] {
    const { state, dom } = this.#view
    const isLong = dom.shadowRoot !== null
    const near = isLong ? visibleRange(this.#view, window.innerHeight) : undefined
    const found = [...rangesIn(state)].map(([id, range]) => ({ id, ...range }))
    found.sort((a, b) => a.from - b.from || a.to - b.to)
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

  #move(id: string, element: HTMLElement, to: number): void {
    const top = Math.round(to)
    if (this.#tops.get(id) === top) return
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
