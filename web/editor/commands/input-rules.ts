/**
 * Markdown as it is typed. A rule looks at the text before the caret once its last character stands
 * there, and says what to do with it. None answers in code. Blocks keep their ids.
 */
import type { MarkType } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import type { DocRange } from '../model/doc-range.ts'
import { isInCode, isItem, type ListKind, marks, nodes } from '../model/nodes.ts'
import { wordEnd } from '../model/words.ts'
import { codeBlock, heading, retype } from './block-types.ts'
import { isWithinDepth } from './depth.ts'
import { addressFrom } from './links.ts'
import { intoList } from './lists.ts'

interface InputRule {
  /** Of the text in the block before the caret; ends at the caret. */
  readonly pattern: RegExp
  /** Changes `tr`, in which the match stands at [from, to); false: not here. */
  readonly apply: (tr: Transaction, match: RegExpExecArray, range: DocRange) => boolean
}

/** Characters before the caret that rules look at. */
const lookBackChars = 500
const leaf = '\ufffc'

/** A rule for the start of a paragraph: what was typed goes, `change` does the rest. */
function atStart(
  pattern: RegExp,
  change: (tr: Transaction, match: RegExpExecArray, pos: number) => boolean,
): InputRule {
  return {
    pattern,
    apply: (tr, match, { from, to }) => {
      const { parent } = tr.doc.resolve(from)
      if (parent.type !== nodes.paragraph && parent.type !== nodes.heading) return false
      tr.delete(from, to)
      return change(tr, match, from - 1)
    },
  }
}

function typeAt(tr: Transaction, pos: number, wanted: Parameters<typeof retype>[2]): boolean {
  retype(tr, pos, wanted)
  return true
}

/** A list, or in an item that has another kind of mark this one instead. */
function listAt(tr: Transaction, kind: ListKind, order?: number): boolean {
  const { $from } = tr.selection
  const item = $from.depth > 1 ? $from.node(-1) : undefined
  if (item === undefined || !isItem(item) || $from.index(-1) > 0) return intoList(tr, kind, order)
  if (kind !== 'task' || item.attrs['checked'] !== null) return false
  tr.setNodeAttribute($from.before(-1), 'checked', false)
  return true
}

function taskAt(tr: Transaction, isChecked: boolean): boolean {
  if (!listAt(tr, 'task')) return false
  if (isChecked) tr.setNodeAttribute(tr.selection.$from.before(-1), 'checked', true)
  return true
}

function quoteAt(tr: Transaction): boolean {
  const range = tr.selection.$from.blockRange()
  if (range === null) return false
  tr.wrap(range, [{ type: nodes.blockquote }])
  return true
}

function ruleAt(tr: Transaction, pos: number): boolean {
  const $pos = tr.doc.resolve(pos)
  if ($pos.nodeAfter === null || $pos.nodeAfter.content.size > 0) return false
  const id = $pos.nodeAfter.attrs['id'] as string | null
  tr.replaceWith(pos, pos + 2, [nodes.horizontal_rule.create({ id }), nodes.paragraph.create()])
  tr.setSelection(TextSelection.create(tr.doc, pos + 2))
  return true
}

/** A rule that marks what stands between two equal delimiters; the last group is the inside. */
function between(pattern: RegExp, type: MarkType): InputRule {
  return {
    pattern,
    apply: (tr, match, { to }) => {
      const inside = match.at(-1) ?? ''
      const delimiter = match.at(-2) ?? ''
      if (inside.trim() !== inside || inside === '') return false
      const start = to - inside.length - 2 * delimiter.length
      if (tr.doc.rangeHasMark(start, to, marks.code)) return false
      tr.delete(to - delimiter.length, to).delete(start, start + delimiter.length)
      markText(tr, { from: start, to: start + inside.length }, type)
      tr.removeStoredMark(type)
      return true
    },
  }
}

function markText(tr: Transaction, { from, to }: DocRange, type: MarkType): void {
  tr.doc.nodesBetween(from, to, (node, pos) => {
    if (!node.isText) return
    tr.addMark(Math.max(from, pos), Math.min(to, pos + node.nodeSize), type.create())
  })
}

const behindWord = new RegExp(`(?:${wordEnd})$`, 'u')
const isFullAddress = (address: string) => /^(?:[a-z][\w+.-]*:|[/#])/i.test(address)

const link: InputRule = {
  pattern: /(!?)\[([^[\]]+)\]\(([^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)$/,
  apply: (tr, match, { from, to }) => {
    const [, bang = '', text = '', typed = ''] = match
    const href = addressFrom(typed)
    if (href === undefined || tr.doc.rangeHasMark(from, to, marks.code)) return false
    // An element of a list, called: `jobs[0](next)`.
    if (behindWord.test(match.input.slice(0, match.index)) && !isFullAddress(typed)) return false
    if (bang !== '') {
      if (text.includes(leaf)) return false
      tr.replaceWith(from, to, nodes.image.create({ src: href, alt: text }))
      return true
    }
    tr.delete(from + 1 + text.length, to).delete(from, from + 1)
    tr.addMark(from, from + text.length, marks.link.create({ href }))
    tr.removeStoredMark(marks.link)
    return true
  },
}

/** Text between two of `delimiter` whose character is `sign`; the first begins no word's inside. */
const delimited = (delimiter: string, sign: string): RegExp =>
  new RegExp(`(?<!${wordEnd}|[${sign}\\\\])(${delimiter})([^${sign}${leaf}]+)${delimiter}$`, 'u')

const inputRules: readonly InputRule[] = [
  atStart(/^(#{1,6}) $/, (tr, match, pos) => typeAt(tr, pos, heading(match[1]?.length ?? 1))),
  atStart(/^(?:[-*+] )?\[([ xX]?)\] $/, (tr, match) => taskAt(tr, /x/i.test(match[1] ?? ''))),
  atStart(/^[-*+] $/, (tr) => listAt(tr, 'bullet')),
  // A year is the first word of a sentence.
  atStart(/^(\d{1,3})[.)] $/, (tr, match) => listAt(tr, 'ordered', Number(match[1]))),
  atStart(/^> $/, (tr) => quoteAt(tr)),
  atStart(/^(?:```|~~~)([^\s`]*) $/, (tr, match, pos) => typeAt(tr, pos, codeBlock(match[1]))),
  atStart(/^(?:---|—-)$/, (tr, _match, pos) => ruleAt(tr, pos)),
  between(delimited('\\*\\*', '*'), marks.strong),
  between(delimited('__', '_'), marks.strong),
  between(delimited('\\*', '*'), marks.em),
  between(delimited('_', '_'), marks.em),
  between(delimited('~~', '~'), marks.strike),
  between(delimited('`', '`'), marks.code),
  link,
]

/** What the first fitting rule makes of the text before the caret; undefined where none fits. */
export function applyInputRule(state: EditorState): Transaction | undefined {
  const { selection } = state
  if (!(selection instanceof TextSelection) || selection.$cursor === null) return undefined
  const { $cursor } = selection
  if (isInCode($cursor) || $cursor.depth === 0) return undefined
  if ($cursor.nodeBefore !== null && marks.code.isInSet($cursor.nodeBefore.marks)) return undefined
  const { parent, parentOffset, pos } = $cursor
  const from = Math.max(0, parentOffset - lookBackChars)
  const text = parent.textBetween(from, parentOffset, null, leaf)
  for (const { pattern, apply } of inputRules) {
    const match = from > 0 && pattern.source.startsWith('^') ? null : pattern.exec(text)
    if (match === null) continue
    const { tr } = state
    if (apply(tr, match, { from: pos - match[0].length, to: pos }) && isWithinDepth(tr)) {
      return tr.scrollIntoView()
    }
  }
  return undefined
}
