/**
 * Decorations that follow from the text alone. Only what a change touched is drawn anew, and in a
 * long document only what is in sight or nearly: each key costs a walk over all that is drawn.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { type Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'
import { longFromBlocks } from './block-groups.ts'
import { visibleRange } from './visible-range.ts'

/** What is to be drawn between two positions. */
export type Draw = (doc: Node, from: number, to: number) => Decoration[]

/** The range of the document in which it is drawn, and what is drawn there. */
interface Drawn extends DocRange {
  readonly set: DecorationSet
}

const aroundBlocks = 20
const lookAfterMs = 120
/** As many blocks as no screen shows, with those around it. */
const drawnMax = 400

const isLong = (doc: Node): boolean => doc.childCount > longFromBlocks

export class ViewportDecorations {
  readonly plugin: Plugin<Drawn>
  readonly #key: PluginKey<Drawn>
  readonly #draw: Draw

  constructor(name: string, draw: Draw) {
    this.#key = new PluginKey<Drawn>(name)
    this.#draw = draw
    this.plugin = this.#makePlugin()
  }

  /** The range in which it is drawn. */
  range(view: EditorView): DocRange {
    return this.#key.getState(view.state) ?? { from: 0, to: 0 }
  }

  /** Draws anew: what it is drawn from is more than the text, and has changed. */
  redraw(view: EditorView): void {
    const { from, to } = this.range(view)
    this.#tell(view, { from, to })
  }

  #tell(view: EditorView, range: DocRange): void {
    view.dispatch(view.state.tr.setMeta(this.#key, range).setMeta('addToHistory', false))
  }

  #drawn(doc: Node, { from, to }: DocRange): Drawn {
    return { from, to, set: DecorationSet.create(doc, this.#draw(doc, from, to)) }
  }

  #whole(doc: Node): Drawn {
    return this.#drawn(doc, { from: 0, to: isLong(doc) ? 0 : doc.content.size })
  }

  #redrawn(tr: Transaction, before: Drawn): Drawn {
    const { doc } = tr
    if (isLong(doc) !== isLong(tr.before)) return this.#whole(doc)
    const from = tr.mapping.map(before.from, -1)
    const to = tr.mapping.map(before.to, 1)
    // The place of very many blocks that came anew is looked at first.
    if (isLong(doc) && blocksIn(doc, { from, to }) > drawnMax) return this.#whole(doc)
    const set = before.set.map(tr.mapping, doc)
    const changed = changedIn(tr)
    if (changed === undefined) return { from, to, set }
    const first = Math.max(from, textAround(doc, changed.from).from)
    const last = Math.min(to, textAround(doc, changed.to).to)
    if (first >= last) return { from, to, set }
    return { from, to, set: this.#redrawnIn(set, doc, { from: first, to: last }) }
  }

  /** What stands around the range is drawn whole, and was: all that belongs to it comes anew. */
  #redrawnIn(set: DecorationSet, doc: Node, range: DocRange): DecorationSet {
    const { from, to } = range
    const touched = set.find(from, to).filter((one) => one.from < to && one.to > from)
    const fresh = this.#draw(doc, from, to)
    const all = [...touched, ...fresh]
    const first = all.reduce((least, one) => Math.min(least, one.from), from)
    const last = all.reduce((most, one) => Math.max(most, one.to), to)
    if (first < from || last > to) return this.#redrawnIn(set, doc, { from: first, to: last })
    return set.remove(touched).add(doc, fresh)
  }

  #makePlugin(): Plugin<Drawn> {
    const key = this.#key
    return new Plugin<Drawn>({
      key,
      state: {
        init: (_, { doc }) => this.#whole(doc),
        apply: (tr, before) => {
          const sight = tr.getMeta(key) as DocRange | undefined
          if (sight !== undefined) return this.#drawn(tr.doc, sight)
          return tr.docChanged ? this.#redrawn(tr, before) : before
        },
      },
      props: { decorations: (state) => key.getState(state)?.set },
      view: (view) => this.#follow(view),
    })
  }

  #follow(view: EditorView) {
    let isAwaited = false
    const look = () => {
      isAwaited = false
      if (view.isDestroyed || !isLong(view.state.doc)) return
      const sight = inSight(view)
      const { from, to } = this.range(view)
      if (sight.from < from || sight.to > to) this.#tell(view, sight)
    }
    const soon = () => {
      if (isAwaited || !isLong(view.state.doc)) return
      isAwaited = true
      // A timer that runs out during a long change would come before its frame.
      requestAnimationFrame(() => setTimeout(look, lookAfterMs))
    }
    window.addEventListener('scroll', soon, { capture: true, passive: true })
    soon()
    return {
      update: (updated: EditorView, before: { readonly doc: Node }) => {
        const { doc } = updated.state
        const { from, to } = this.range(updated)
        if (doc.childCount !== before.doc.childCount || from === to) soon()
      },
      destroy: () => window.removeEventListener('scroll', soon, { capture: true }),
    }
  }
}

/** What differs, and what steps put there, also where it is the same as before. */
function changedIn({ before, doc, mapping }: Transaction): DocRange | undefined {
  const start = before.content.findDiffStart(doc.content)
  const end = before.content.findDiffEnd(doc.content)
  if (start === null || end === null) return undefined
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const map of mapping.maps) {
    first = map.map(first, -1)
    last = map.map(last, 1)
    map.forEach((_from, _to, from, to) => {
      first = Math.min(first, from)
      last = Math.max(last, to)
    })
  }
  return { from: Math.min(first, start, end.b), to: Math.max(last, start, end.b) }
}

const blocksIn = (doc: Node, { from, to }: DocRange): number =>
  doc.resolve(to).index(0) - doc.resolve(from).index(0)

/** The text block that `pos` stands in; where it stands in none, what is right behind it. */
function textAround(doc: Node, pos: number): DocRange {
  const $pos = doc.resolve(pos)
  if ($pos.parent.inlineContent) return { from: $pos.start(), to: $pos.end() }
  return { from: pos, to: Math.min(pos + 1, doc.content.size) }
}

/** The top-level blocks in sight, and some around them. */
function inSight(view: EditorView): DocRange {
  const { doc } = view.state
  const seen = visibleRange(view)
  const from = Math.max(0, doc.resolve(seen.from).index(0) - aroundBlocks)
  const to = Math.min(doc.childCount, doc.resolve(seen.to).index(0) + aroundBlocks)
  const start = doc.resolve(0).posAtIndex(from)
  return { from: start, to: doc.resolve(start).posAtIndex(to) }
}
