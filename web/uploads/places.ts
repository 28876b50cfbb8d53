/**
 * Where in the text the images stand that are on their way: drawn there and not written. Places
 * follow every change; one whose block is gone is the nearest that is left. Of several at one place
 * the order is kept, whichever arrives first.
 */
import type { Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { PluginKey } from 'prosemirror-state'
import type { Mapping } from 'prosemirror-transform'
import { Decoration, DecorationSet } from 'prosemirror-view'
import type { DocRange } from '../editor/model/doc-range.ts'

/** An image on its way, at its place. */
export interface Place {
  readonly id: string
  readonly pos: number
  /** What is drawn there. */
  readonly dom: HTMLElement
}

type Change =
  | { readonly added: readonly Place[] }
  | { readonly gone: string }
  /** It stands in the text now, there. */
  | { readonly arrived: string; readonly at: DocRange }

export class Places {
  static readonly none = new Places([], DecorationSet.empty)
  readonly all: readonly Place[]
  readonly drawn: DecorationSet

  private constructor(all: readonly Place[], drawn: DecorationSet) {
    this.all = all
    this.drawn = drawn
  }

  apply(tr: Transaction): Places {
    const change = tr.getMeta(key) as Change | undefined
    if (change !== undefined) return Places.#of(changed(this.all, change, tr.mapping), tr.doc)
    if (!tr.docChanged || this.all.length === 0) return this
    const all = moved(this.all, tr.mapping)
    const drawn = this.drawn.map(tr.mapping, tr.doc)
    // What was drawn in a block that is gone is drawn anew.
    return drawn.find().length === all.length ? new Places(all, drawn) : Places.#of(all, tr.doc)
  }

  static #of(all: readonly Place[], doc: Node): Places {
    if (all.length === 0) return Places.none
    const widgets = all.map(({ id, pos, dom }) =>
      Decoration.widget(pos, dom, {
        key: id,
        side: -1,
        marks: [],
        ignoreSelection: true,
        stopEvent: () => true,
      }),
    )
    return new Places(all, DecorationSet.create(doc, widgets))
  }
}

const key = new PluginKey<Places>('uploads')
export const placesKey = key

export const placesIn = (state: EditorState): Places => key.getState(state) ?? Places.none

export const withPlaces = (tr: Transaction, change: Change): Transaction =>
  tr.setMeta(key, change).setMeta('addToHistory', false)

const moved = (all: readonly Place[], mapping: Mapping): Place[] =>
  all.map((place) => ({ ...place, pos: mapping.map(place.pos, -1) }))

function changed(all: readonly Place[], change: Change, mapping: Mapping): Place[] {
  const now = moved(all, mapping)
  if ('added' in change) return [...now, ...change.added]
  if ('gone' in change) return now.filter(({ id }) => id !== change.gone)
  const index = all.findIndex(({ id }) => id === change.arrived)
  const { from, to } = change.at
  return now.flatMap((place, at) => {
    if (at === index) return []
    const isBeside = all[at]?.pos === all[index]?.pos
    return [isBeside ? { ...place, pos: at < index ? from : to } : place]
  })
}
