/**
 * Decorations that follow from the text alone. Only what a change touched is drawn anew, and in a
 * long document only what is in sight or nearly: each key costs a walk over all that is drawn.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { type Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { longFromBlocks } from './groups.ts'

/** What is to be drawn between two positions. */
export type Draw = (doc: Node, from: number, to: number) => Decoration[]

interface Drawn {
  /** The stretch of the document in which it is drawn. */
  readonly from: number
  readonly to: number
  readonly set: DecorationSet
}

type Stretch = readonly [from: number, to: number]

const aroundBlocks = 20
const lookAfterMs = 120

const isLong = (doc: Node): boolean => doc.childCount > longFromBlocks

export class DrawnInSight {
  readonly plugin: Plugin<Drawn>
  readonly #key: PluginKey<Drawn>
  readonly #draw: Draw

  constructor(name: string, draw: Draw) {
    this.#key = new PluginKey<Drawn>(name)
    this.#draw = draw
    this.plugin = this.#makePlugin()
  }

  /** The stretch in which it is drawn. */
  stretch(view: EditorView): Stretch {
    const drawn = this.#key.getState(view.state)
    return drawn === undefined ? [0, 0] : [drawn.from, drawn.to]
  }

  /** Draws anew: what it is drawn from is more than the text, and has changed. */
  again(view: EditorView): void {
    this.#tell(view, this.stretch(view))
  }

  #tell(view: EditorView, stretch: Stretch): void {
    view.dispatch(view.state.tr.setMeta(this.#key, stretch).setMeta('addToHistory', false))
  }

  #drawn(doc: Node, [from, to]: Stretch): Drawn {
    return { from, to, set: DecorationSet.create(doc, this.#draw(doc, from, to)) }
  }

  #whole(doc: Node): Drawn {
    return this.#drawn(doc, [0, isLong(doc) ? 0 : doc.content.size])
  }

  #redrawn(tr: Transaction, before: Drawn): Drawn {
    const { doc } = tr
    if (isLong(doc) !== isLong(tr.before)) return this.#whole(doc)
    const from = tr.mapping.map(before.from, -1)
    const to = tr.mapping.map(before.to, 1)
    const set = before.set.map(tr.mapping, doc)
    const start = tr.before.content.findDiffStart(doc.content)
    const end = tr.before.content.findDiffEnd(doc.content)
    if (start === null || end === null) return { from, to, set }
    const first = Math.max(from, textAround(doc, start)[0])
    const last = Math.min(to, textAround(doc, Math.max(start, end.b))[1])
    if (first >= last) return { from, to, set }
    const fresh = this.#draw(doc, first, last)
    return { from, to, set: set.remove(set.find(first, last)).add(doc, fresh) }
  }

  #makePlugin(): Plugin<Drawn> {
    const key = this.#key
    return new Plugin<Drawn>({
      key,
      state: {
        init: (_, { doc }) => this.#whole(doc),
        apply: (tr, before) => {
          const sight = tr.getMeta(key) as Stretch | undefined
          if (sight !== undefined) return this.#drawn(tr.doc, sight)
          return tr.docChanged ? this.#redrawn(tr, before) : before
        },
      },
      props: { decorations: (state) => key.getState(state)?.set },
      view: (view) => this.#follow(view),
    })
  }

  #follow(view: EditorView) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      if (view.isDestroyed || !isLong(view.state.doc)) return
      const sight = inSight(view)
      const [from, to] = this.stretch(view)
      if (sight !== undefined && (sight[0] < from || sight[1] > to)) this.#tell(view, sight)
    }
    const soon = () => {
      if (isLong(view.state.doc)) timer ??= setTimeout(look, lookAfterMs)
    }
    window.addEventListener('scroll', soon, { capture: true, passive: true })
    soon()
    return {
      update(updated: EditorView, before: { readonly doc: Node }) {
        if (updated.state.doc.childCount !== before.doc.childCount) soon()
      },
      destroy() {
        clearTimeout(timer)
        window.removeEventListener('scroll', soon, { capture: true })
      },
    }
  }
}

/** The text block that `pos` stands in; where it stands in none, what is right behind it. */
function textAround(doc: Node, pos: number): Stretch {
  const $pos = doc.resolve(pos)
  if ($pos.parent.inlineContent) return [$pos.start(), $pos.end()]
  return [pos, Math.min(pos + 1, doc.content.size)]
}

/** The top-level blocks in sight, and some around them. */
function inSight(view: EditorView): Stretch | undefined {
  const { left, right, top, bottom } = view.dom.getBoundingClientRect()
  const middle = (left + right) / 2
  const at = (y: number) => view.posAtCoords({ left: middle, top: y })?.pos
  const [first, last] = [at(Math.max(top + 1, 1)), at(Math.min(bottom, window.innerHeight) - 1)]
  if (first === undefined || last === undefined) return undefined
  const { doc } = view.state
  const from = Math.max(0, doc.resolve(first).index(0) - aroundBlocks)
  const to = Math.min(doc.childCount, doc.resolve(last).index(0) + 1 + aroundBlocks)
  const start = doc.resolve(0).posAtIndex(from)
  return [start, doc.resolve(start).posAtIndex(to)]
}
