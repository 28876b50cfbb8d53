/**
 * What one can do at a vacant place (`binding/vacant-place.ts`): write there, leave it, or bring
 * back the block that stood there, of which the last one is kept.
 */
import type { Node } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
} from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { isComposing } from '../platform/composing.ts'
import type { Store } from '../platform/store.ts'
import { fillPlace, VacantPlace, type Vacated, vacatedBy } from './binding/vacant-place.ts'

const key = new PluginKey<Vacated | undefined>('vacancy')

/** The block that went last from under the caret and was not brought back. */
export const vacatedIn = (state: EditorState): Vacated | undefined => key.getState(state)

/** The kept block is let go. */
export const letGo: Command = (state, dispatch) => {
  dispatch?.(state.tr.setMeta(key, 'let go').setMeta('addToHistory', false))
  return true
}

/** Puts the block back where it stood, and the caret where it was in it. */
export const restoreVacated: Command = (state, dispatch) => {
  const vacated = vacatedIn(state)
  if (vacated === undefined) return false
  const { block, caret } = vacated
  const tr = state.tr
  const $place = tr.doc.resolve(Math.min(vacated.pos, tr.doc.content.size))
  const index = $place.index()
  const isFit = $place.parent.canReplaceWith(index, index, block.type)
  const pos = isFit || $place.depth === 0 ? $place.pos : $place.after(1)
  tr.insert(pos, block)
  const at = TextSelection.near(tr.doc.resolve(Math.min(pos + caret, tr.doc.content.size)))
  dispatch?.(tr.setSelection(at).setMeta(key, 'let go').scrollIntoView())
  return true
}

/** `shown`: told which block is kept. */
export function vacantBlocks(shown: Store<Node | undefined>): Plugin {
  return new Plugin<Vacated | undefined>({
    key,
    view: () => ({ update: ({ state }) => shown.set(vacatedIn(state)?.block) }),
    state: {
      init: () => undefined,
      apply(tr, kept) {
        if (tr.getMeta(key) === 'let go') return undefined
        const vacated = vacatedBy(tr)
        if (vacated !== undefined) return vacated
        if (kept === undefined || !tr.docChanged) return kept
        return { ...kept, pos: tr.mapping.map(kept.pos, -1) }
      },
    },
    props: {
      decorations: ({ doc, selection }) =>
        selection instanceof VacantPlace
          ? DecorationSet.create(doc, [
              Decoration.widget(selection.head, drawn, { key: 'vacant', side: -1 }),
            ])
          : null,
      handleTextInput(view, _from, _to, text) {
        return isVacant(view) && run(view, (state) => fillPlace(state.tr, text))
      },
      handlePaste(view) {
        // What is pasted goes into the paragraph that stands there now.
        if (isVacant(view)) run(view, (state) => fillPlace(state.tr))
        return false
      },
      handleDOMEvents: {
        // An input method needs text to write in.
        beforeinput(view, event) {
          const isComposing = event.inputType === 'insertCompositionText'
          if (isComposing && isVacant(view)) run(view, (state) => fillPlace(state.tr))
          return false
        },
      },
      handleKeyDown: (view, event) => isVacant(view) && answerKey(view, event),
    },
  })
}

const isVacant = ({ state }: EditorView): boolean => state.selection instanceof VacantPlace

function run(view: EditorView, change: (state: EditorState) => EditorState['tr']): true {
  view.dispatch(change(view.state))
  return true
}

const backward = new Set(['ArrowUp', 'ArrowLeft', 'Backspace'])
const forward = new Set(['ArrowDown', 'ArrowRight', 'Delete'])

function answerKey(view: EditorView, event: KeyboardEvent): boolean {
  const isMod = event.ctrlKey || event.metaKey
  if (isMod && !event.shiftKey && event.key === 'z')
    return restoreVacated(view.state, view.dispatch)
  if (isMod || event.altKey || isComposing(event)) return false
  if (event.key === 'Enter') return run(view, (state) => fillPlace(state.tr))
  const way = backward.has(event.key) ? -1 : forward.has(event.key) ? 1 : 0
  if (way === 0) return false
  return run(view, ({ tr, selection }) =>
    tr.setSelection(Selection.near(selection.$head, way)).scrollIntoView(),
  )
}

function drawn(): HTMLElement {
  const place = document.createElement('div')
  place.className = 'vacant-place'
  place.contentEditable = 'false'
  return place
}
