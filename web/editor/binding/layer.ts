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
import { actAt, keepPlace, type PendingPlace, placeNow } from './pending-places.ts'

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

/** Letters or a key, given somewhere while the layer is on its way. */
interface Held {
  place?: PendingPlace
  given: string | KeyboardEvent
}
const heldMax = 1_000

/** Keys that change the text, whatever else they are pressed with. */
const isEdit = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  /^(?:Backspace|Delete|Enter|Tab)$/.test(key) ||
  ((ctrlKey || metaKey) && (altKey ? /^[0-6]$/ : /^[bie\\]$/i).test(key))

/** The letter of somebody's that a key takes away. */
function erase(view: EditorView, key: string): void {
  const { $from, empty } = view.state.selection
  const { parent, parentOffset } = $from
  if (!empty || !parent.isTextblock) return
  const isBack = key === 'Backspace'
  const [from, to] = isBack ? [0, parentOffset] : [parentOffset, parent.content.size]
  const letters = [...new Intl.Segmenter().segment(parent.textBetween(from, to, '', '\ufffc'))]
  const { length } = letters.at(isBack ? -1 : 0)?.segment ?? ''
  const start = $from.pos - (isBack ? length : 0)
  if (length > 0) view.dispatch(view.state.tr.delete(start, start + length))
}

/** Does it where it was given. */
function giveAgain(view: EditorView, { place, given }: Held): void {
  if (view.isDestroyed || place === undefined) return
  actAt(view, place, () => {
    if (typeof given === 'string') view.dispatch(view.state.tr.insertText(given))
    else if (!view.someProp('handleKeyDown', (handle) => handle(view, given))) {
      if (/^(?:Backspace|Delete)$/.test(given.key)) erase(view, given.key)
    }
  })
}

/** `isWanted`: what is typed is for a layer. Until there is one, it is held. */
export function layerPlugin(isWanted: () => boolean): Plugin<Laid> {
  let held: Held[] = []
  const isAwaited = ({ state }: EditorView) => isWanted() && takingLayer(state) === undefined
  /** What was last typed, if it was here. */
  const typedAt = (view: EditorView, { from, to }: DocRange) => {
    const last = held.at(-1)
    const now = last?.place && placeNow(view.state, last.place)
    const isHere = now?.from === from && now.to === to
    return isHere && typeof last?.given === 'string'
      ? (last as Held & { given: string })
      : undefined
  }
  const hold = (view: EditorView, { from, to }: DocRange, given: Held['given']) => {
    if (held.length >= heldMax) return
    const one: Held = { given }
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
        if (!isAwaited(view)) return false
        const last = typedAt(view, { from, to })
        if (last === undefined) hold(view, { from, to }, text)
        else if (last.given.length < heldMax) last.given += text
        return true
      },
      handleKeyDown(view, event) {
        if (!isAwaited(view) || view.composing || !isEdit(event)) return false
        const { selection } = view.state
        const last = event.key === 'Backspace' ? typedAt(view, selection) : undefined
        if (last?.given) last.given = [...last.given].slice(0, -1).join('')
        else hold(view, selection, event)
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
          for (const one of all) giveAgain(view, one)
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
