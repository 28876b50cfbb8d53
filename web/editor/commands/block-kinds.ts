/** What a person can turn a block into, in the order in which menus offer it. */
import type { Command, EditorState } from 'prosemirror-state'
import { nodes } from '../model/nodes.ts'
import { codeBlock, heading, paragraph, setTextblock } from './block-types.ts'
import { type ListKind, listKind, toggleList } from './lists.ts'
import { isQuoted, toggleQuote, unquote } from './quotes.ts'

export type BlockKindName =
  | 'text'
  | `heading-${1 | 2 | 3 | 4 | 5 | 6}`
  | ListKind
  | 'quote'
  | 'code'

export interface BlockKind {
  readonly name: BlockKindName
  readonly label: string
  /** Makes the selected blocks of this kind. */
  readonly turnInto: Command
}

/** Away from whatever the block is now, one thing at a time. */
const turnIntoText: Command = (state, dispatch, view) => {
  if (setTextblock(paragraph)(state, dispatch, view)) return true
  const kind = listKind(state)
  if (kind !== undefined) return toggleList(kind)(state, dispatch, view)
  return unquote(state, dispatch, view)
}

const turnIntoList =
  (kind: ListKind): Command =>
  (state, dispatch, view) =>
    listKind(state) === kind || toggleList(kind)(state, dispatch, view)

const headings = ([1, 2, 3, 4, 5, 6] as const).map(
  (level): BlockKind => ({
    name: `heading-${level}`,
    label: `Heading ${level}`,
    turnInto: setTextblock(heading(level)),
  }),
)

export const blockKinds: readonly BlockKind[] = [
  { name: 'text', label: 'Text', turnInto: turnIntoText },
  ...headings,
  { name: 'bullet', label: 'Bulleted list', turnInto: turnIntoList('bullet') },
  { name: 'ordered', label: 'Numbered list', turnInto: turnIntoList('ordered') },
  { name: 'task', label: 'Task list', turnInto: turnIntoList('task') },
  {
    name: 'quote',
    label: 'Quote',
    turnInto: (state, dispatch, view) => isQuoted(state) || toggleQuote(state, dispatch, view),
  },
  { name: 'code', label: 'Code block', turnInto: setTextblock(codeBlock()) },
]

/** What the block at the selection's head is; undefined where it is none of these, as a table. */
export function blockKindAt(state: EditorState): BlockKindName | undefined {
  const { $head } = state.selection
  const { type, attrs } = $head.parent
  if (type === nodes.code_block) return 'code'
  if (type === nodes.heading) return `heading-${attrs['level'] as 1}`
  if (type !== nodes.paragraph) return undefined
  return listKind(state) ?? (isQuoted(state) ? 'quote' : 'text')
}
