/**
 * A text that is only read can be translated by the browser, which puts elements of its own in the
 * place of texts. The editor does not see that where nothing can be written, and would write what
 * comes in later into texts that are not in the page any more: a block that was translated and
 * changes is drawn anew, and the browser translates it again.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { redraw } from '../internals/redrawing.ts'
import { changedBlocks } from './model/changed-blocks.ts'

/** What translators put in; the text itself has none. */
const translation = 'font'

export function translated(): Plugin {
  return new Plugin({
    view: () => ({
      update(view, before) {
        if (view.editable || view.state.doc === before.doc) return
        const { from, after } = changedBlocks(before.doc, view.state.doc)
        const elements = changedElements(view, from, after)
        // Within an update there can be no other.
        if (elements.length > 0) {
          queueMicrotask(() => {
            if (!view.isDestroyed)
              redraw(
                view,
                elements.filter(({ isConnected }) => isConnected),
              )
          })
        }
      },
    }),
  })
}

function changedElements(
  view: EditorView,
  from: number,
  blocks: readonly { readonly nodeSize: number }[],
): readonly Element[] {
  let pos = from
  return blocks.flatMap(({ nodeSize }) => {
    const element = view.nodeDOM(pos)
    pos += nodeSize
    const isTranslated = element instanceof Element && element.querySelector(translation) !== null
    return isTranslated ? [element] : []
  })
}
