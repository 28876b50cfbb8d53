/**
 * Runs the input rules on what is typed. What was typed is written first, and the rule comes as an
 * undo step of its own; Backspace right after it takes back just the rule. A change of somebody
 * else's text in between ends that.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { applyInputRule } from './input-rules.ts'
import { beginUndoStep } from './undo-step.ts'

/** What stood before the rule, and where the caret was. */
interface Before {
  readonly doc: Node
  readonly caret: number
}

const typing = new PluginKey<Before | undefined>('typing')
const triggers = /[ *_~`)-]$/

function runRule(view: EditorView): boolean {
  const tr = applyInputRule(view.state)
  if (tr === undefined) return false
  beginUndoStep(view.state)
  const before: Before = { doc: view.state.doc, caret: view.state.selection.from }
  view.dispatch(tr.setMeta(typing, before))
  beginUndoStep(view.state)
  return true
}

/** Puts back what a rule replaced, and nothing outside of it. */
function takeBack(tr: Transaction, { doc, caret }: Before): Transaction {
  const start = tr.doc.content.findDiffStart(doc.content)
  const end = tr.doc.content.findDiffEnd(doc.content)
  if (start === null || end === null) return tr
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  tr.replace(start, end.a + overlap, doc.slice(start, end.b + overlap))
  return tr.setSelection(TextSelection.near(tr.doc.resolve(caret)))
}

export function typingPlugin(): Plugin {
  return new Plugin<Before | undefined>({
    key: typing,
    state: {
      init: () => undefined,
      apply: (tr, before) => {
        const set = tr.getMeta(typing) as Before | undefined
        if (set !== undefined) return set
        const isOurs = tr.getMeta('appendedTransaction') !== undefined
        return isOurs || !(tr.docChanged || tr.selectionSet) ? before : undefined
      },
    },
    props: {
      handleTextInput(view, _from, _to, text, insertion) {
        if (view.composing || !triggers.test(text)) return false
        view.dispatch(insertion())
        runRule(view)
        return true
      },
      handleDOMEvents: {
        compositionend: (view) => {
          setTimeout(() => {
            if (!view.isDestroyed && !view.composing) runRule(view)
          })
          return false
        },
      },
      handleKeyDown(view, event) {
        const before = typing.getState(view.state)
        const isBackspace = event.key === 'Backspace' && !event.ctrlKey && !event.metaKey
        if (before === undefined || !isBackspace) return false
        view.dispatch(takeBack(view.state.tr, before))
        return true
      },
    },
  })
}
