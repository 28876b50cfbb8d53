/**
 * What the page may show over the shared document without writing it: the place for a layer, which
 * comes when it is first needed. Where there is one, every change of one's own goes into it and none
 * into the shared document, and what others write is shown through it. Invariant: positions of the
 * shared document and of the page are the same wherever there is no layer.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { DecorationSource, EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'
import { type KeptPlace, keepPlace, placeNow, takePlace } from './kept-places.ts'

/** The layer in one state of the editor; a value that does not change. */
export interface Layer {
  /** The document that it lies over; undefined: it takes no changes, and only draws. */
  readonly shared: Node | undefined
  /** What it is after a transaction that says nothing of it. */
  apply(tr: Transaction, before: EditorState): Layer
  /** Puts what is shared now beneath, and says in the transaction what the layer is then. */
  follow(tr: Transaction, shared: Node): void
  /** Positions of the page as those of the shared document, and back. */
  toShared(pos: number): number
  toShown(pos: number): number
  decorations(state: EditorState): DecorationSource | undefined
  /** One's own changes in it, taken back and done again; false: there is none. */
  undo(view: EditorView): boolean
  redo(view: EditorView): boolean
  handleClick(view: EditorView, event: MouseEvent): boolean
}

interface Laid {
  readonly layer: Layer | undefined
}

const key = new PluginKey<Laid>('layer')
const nothing: Laid = { layer: undefined }

export const layerOf = (state: EditorState): Layer | undefined => key.getState(state)?.layer

export type TakingLayer = Layer & { readonly shared: Node }

const isTaking = (layer: Layer): layer is TakingLayer => layer.shared !== undefined

/** The layer that takes one's own changes, if there is one. */
export function takingLayer(state: EditorState): TakingLayer | undefined {
  const layer = layerOf(state)
  return layer !== undefined && isTaking(layer) ? layer : undefined
}

/** The transaction says what the layer is from now on. */
export const withLayer = (tr: Transaction, layer: Layer | undefined): Transaction =>
  tr.setMeta(key, { layer } satisfies Laid)

/** What is typed somewhere while the layer is on its way. */
interface Held {
  place?: KeptPlace
  text: string
}
const heldMaxChars = 1_000

/** `isWanted`: what is typed is for a layer. Until there is one, it is held. */
export function layerPlugin(isWanted: () => boolean): Plugin<Laid> {
  let held: Held[] = []
  const hold = (view: EditorView, { from, to }: DocRange, text: string) => {
    const last = held.at(-1)
    const now = last?.place && placeNow(view.state, last.place)
    if (held.reduce((sum, one) => sum + one.text.length, text.length) > heldMaxChars) return
    if (last !== undefined && now?.from === from && now.to === to) {
      last.text += text
      return
    }
    const one: Held = { text }
    held.push(one)
    // The view is reading what the browser made of it, and takes it back first.
    queueMicrotask(() => {
      if (!view.isDestroyed) one.place = keepPlace(view, { from, to })
    })
  }
  return new Plugin<Laid>({
    key,
    state: {
      init: () => nothing,
      apply(tr, laid, before) {
        const said = tr.getMeta(key) as Laid | undefined
        if (said !== undefined) return said
        const layer = laid.layer?.apply(tr, before)
        return layer === laid.layer ? laid : { layer }
      },
    },
    props: {
      decorations: (state) => layerOf(state)?.decorations(state),
      handleTextInput(view, from, to, text) {
        if (!isWanted() || takingLayer(view.state) !== undefined) return false
        hold(view, { from, to }, text)
        return true
      },
      handleClick: (view, _pos, event) => layerOf(view.state)?.handleClick(view, event) ?? false,
    },
    view: (view) => ({
      update() {
        if (held.length === 0 || takingLayer(view.state) === undefined) return
        const all = held
        held = []
        // Behind what is being told of the layer now.
        queueMicrotask(() => {
          for (const { place, text } of all) {
            if (view.isDestroyed || place === undefined) return
            const { from, to } = takePlace(view, place)
            view.dispatch(view.state.tr.insertText(text, from, to))
          }
        })
      },
    }),
  })
}

/** The shared document beneath the page, and the way between their positions. */
export interface Beneath {
  readonly doc: Node
  toShared(pos: number): number
  toShown(pos: number): number
}

export function beneath(state: EditorState): Beneath {
  const layer = takingLayer(state)
  if (layer === undefined) return { doc: state.doc, toShared: same, toShown: same }
  return {
    doc: layer.shared,
    toShared: (pos) => layer.toShared(pos),
    toShown: (pos) => layer.toShown(pos),
  }
}

const same = (pos: number): number => pos
