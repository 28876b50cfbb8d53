/** Code blocks: their language, their indentation, and the way out of them. */
import { exitCode } from 'prosemirror-commands'
import { type Command, TextSelection } from 'prosemirror-state'
import { nodes } from '../model/nodes.ts'
import { codeBlock, retype } from './block-types.ts'

const indent = '  '

/** Writes the language of the code block at `pos`; the words behind it in the fence stay. */
export function setLanguage(pos: number, language: string): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(pos)
    if (node?.type !== nodes.code_block) return false
    const params = (node.attrs['params'] as string).replace(/^\S*/, language.replace(/[\s`]/g, ''))
    dispatch?.(state.tr.setNodeAttribute(pos, 'params', params.trim()))
    return true
  }
}

/** The first word of what stands in a fence. */
export const languageOf = (params: string): string => /^\S*/.exec(params)?.[0] ?? ''

/** A paragraph that is ```` ```lang ```` and nothing else becomes a code block. */
export const fenceOnEnter: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type !== nodes.paragraph || $from.depth === 0) return false
  if ($from.parentOffset !== $from.parent.content.size) return false
  const params = /^(?:```|~~~)([^\s`]*)$/.exec($from.parent.textContent)?.[1]
  if (params === undefined) return false
  const { tr } = state
  tr.delete($from.start(), $from.end())
  retype(tr, $from.before(), codeBlock(params))
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Tab and Shift-Tab in code: every selected line two blanks in, or out. */
export const indentCode =
  (direction: 1 | -1): Command =>
  (state, dispatch) => {
    const { $from, $to, empty } = state.selection
    if ($from.parent.type !== nodes.code_block || !$from.sameParent($to)) return false
    const { tr } = state
    if (empty && direction > 0) {
      dispatch?.(tr.insertText(indent).scrollIntoView())
      return true
    }
    const text = $from.parent.textContent
    const start = $from.start()
    let line = text.lastIndexOf('\n', $from.parentOffset - 1) + 1
    const starts: number[] = []
    while (line >= 0 && line <= $to.parentOffset) {
      starts.push(line)
      const end = text.indexOf('\n', line)
      line = end < 0 ? -1 : end + 1
    }
    for (const at of starts.reverse()) {
      const lead = /^(?: {1,2}|\t)/.exec(text.slice(at, at + 2))?.[0].length ?? 0
      if (direction > 0) tr.insertText(indent, start + at)
      else if (lead > 0) tr.delete(start + at, start + at + lead)
    }
    dispatch?.(tr.scrollIntoView())
    return true
  }

/** Enter on the second empty line at the end of code leaves it. */
export const leaveCodeOnEnter: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type !== nodes.code_block) return false
  if ($from.parentOffset !== $from.parent.content.size) return false
  if (!$from.parent.textContent.endsWith('\n\n')) return false
  if (dispatch === undefined) return true
  return exitCode(state, (tr) => dispatch(tr.delete($from.pos - 2, $from.pos)), view)
}

/** Backspace in an empty code block makes a paragraph of it. */
export const uncodeAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0) return false
  const { type, content } = $from.parent
  const isPlain = type === nodes.heading || (type === nodes.code_block && content.size === 0)
  if (!isPlain) return false
  const { tr } = state
  tr.setNodeMarkup($from.before(), nodes.paragraph, { id: $from.parent.attrs['id'] as string })
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, $from.pos)))
  return true
}
