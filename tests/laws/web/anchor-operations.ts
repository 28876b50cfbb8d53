/**
 * What may happen to words that somebody talks of, and what must become of the thread: by a
 * person's editor, each also undone, and by REST.
 */
import { splitBlock } from 'prosemirror-commands'
import { Fragment } from 'prosemirror-model'
import { NodeSelection } from 'prosemirror-state'
import { blockKinds } from '../../../web/editor/commands/block-kinds.ts'
import { nestItems } from '../../../web/editor/commands/lists.ts'
import { toggleEmphasis } from '../../../web/editor/commands/marks.ts'
import { moveUnits } from '../../../web/editor/commands/moving.ts'
import type { BlockKindName } from '../../../web/editor/commands/selected-blocks.ts'
import { moveColumns, moveRows } from '../../../web/editor/commands/tables.ts'
import type { AnchorPage, Chosen, Home } from './anchor-page.ts'

export interface Operation {
  readonly name: string
  readonly home: Home
  /** Whether the words are gone after it. */
  readonly takes?: true
  /** What the thread is about instead. */
  readonly becomes?: readonly string[]
  /** Undone by a person it is as it was. */
  readonly isUndone?: true
  /** The same words stand elsewhere afterwards: the n-th of them is what was talked of. */
  readonly nth?: number
  run(page: AnchorPage, chosen: Chosen): void | Promise<void>
}

const phraseOf = ({ words }: Chosen): string => words.join(' ')
const startOf = (page: AnchorPage, chosen: Chosen) => page.posOf(phraseOf(chosen))
const endOf = (page: AnchorPage, chosen: Chosen) => startOf(page, chosen) + phraseOf(chosen).length
/** Between two of the words, or amid the only one. */
const middleOf = (page: AnchorPage, chosen: Chosen) =>
  startOf(page, chosen) + (chosen.words[0]?.length ?? 0) + (chosen.words.length > 1 ? 1 : -2)
const lineOf = ({ before, words, after }: Chosen) => [...before, ...words, ...after].join(' ')

const typing = (at: (page: AnchorPage, chosen: Chosen) => number, text: string) => ({
  home: 'paragraph' as const,
  isUndone: true as const,
  run: (page: AnchorPage, chosen: Chosen) =>
    page.change((tr) => tr.insertText(text, at(page, chosen))),
})

const splitting = (at: (page: AnchorPage, chosen: Chosen) => number) => ({
  home: 'paragraph' as const,
  isUndone: true as const,
  run(page: AnchorPage, chosen: Chosen) {
    page.select(at(page, chosen))
    page.page.run(splitBlock)
  },
})

const turning = (kind: BlockKindName) => ({
  home: 'paragraph' as const,
  isUndone: true as const,
  run(page: AnchorPage, chosen: Chosen) {
    page.select(startOf(page, chosen))
    page.page.run(blockKinds.find(({ name }) => name === kind)?.turnInto ?? (() => false))
  },
})

const commanding = (home: Home, command: Parameters<AnchorPage['page']['run']>[0]) => ({
  home,
  isUndone: true as const,
  run(page: AnchorPage, chosen: Chosen) {
    page.select(startOf(page, chosen))
    page.page.run(command)
  },
})

const rest = (edit: (page: AnchorPage, chosen: Chosen) => Record<string, unknown>) => ({
  home: 'paragraph' as const,
  run: (page: AnchorPage, chosen: Chosen) => page.patch(edit(page, chosen)),
})

/** The document with its blocks in another order and some of the words between others. */
function rewritten(page: AnchorPage, chosen: Chosen): string {
  const blocks = page.markdown.trimEnd().split('\n\n')
  const at = blocks.findIndex((block) => block.includes(phraseOf(chosen)))
  const [own = ''] = blocks.splice(at, 1)
  blocks.splice(1, 0, `zz ${own} zz`)
  return `${blocks.join('\n\n')}\n`
}

function deleteBlock(page: AnchorPage, chosen: Chosen): void {
  const { index } = page.blockWith(phraseOf(chosen))
  page.change((tr) => {
    const pos = tr.doc.children.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0)
    tr.setSelection(NodeSelection.create(tr.doc, pos)).deleteSelection()
  })
}

function copyBlock(page: AnchorPage, chosen: Chosen): void {
  const { index } = page.blockWith(phraseOf(chosen))
  page.change((tr) => {
    const block = tr.doc.child(index)
    const copy = block.type.create({ ...block.attrs, id: null }, block.content)
    tr.insert(tr.doc.content.size, Fragment.from(copy))
  })
}

function joinWithFormer(page: AnchorPage, chosen: Chosen): void {
  const start = page.posOf(lineOf(chosen))
  page.change((tr) => tr.join(start - 1))
}

export const operations: readonly Operation[] = [
  { name: 'typed before', ...typing(startOf, 'zz ') },
  { name: 'typed inside', ...typing(middleOf, 'zz') },
  { name: 'typed behind', ...typing(endOf, ' zz') },
  {
    ...commanding('paragraph', toggleEmphasis('strong')),
    name: 'made bold in part',
    run(page, chosen) {
      page.select(startOf(page, chosen), middleOf(page, chosen))
      page.page.run(toggleEmphasis('strong'))
    },
  },
  { name: 'split before', ...splitting(startOf) },
  { name: 'split inside', ...splitting(middleOf) },
  { name: 'split behind', ...splitting(endOf) },
  { name: 'joined with the block before', home: 'paragraph', isUndone: true, run: joinWithFormer },
  { name: 'words deleted', home: 'paragraph', isUndone: true, takes: true, run: deleteWords },
  { name: 'block deleted', home: 'paragraph', isUndone: true, takes: true, run: deleteBlock },
  { name: 'made a heading', ...turning('heading-2') },
  { name: 'wrapped in a quote', ...turning('quote') },
  { name: 'made an item', ...turning('bullet') },
  { name: 'item indented', ...commanding('item', nestItems) },
  { name: 'dragged down', ...commanding('paragraph', moveUnits(1)) },
  { name: 'item dragged up', ...commanding('item', moveUnits(-1)) },
  { name: 'row moved', ...commanding('cell', moveRows(1)) },
  { name: 'column moved', ...commanding('cell', moveColumns(1)) },
  { name: 'block copied to the end', home: 'paragraph', isUndone: true, nth: 0, run: copyBlock },
  {
    name: 'the same words typed before',
    home: 'paragraph',
    isUndone: true,
    nth: 1,
    run: (page, chosen) =>
      page.change((tr) => tr.insertText(`${phraseOf(chosen)} `, page.posOf(lineOf(chosen)))),
  },
  {
    name: 'moved by REST',
    ...rest((page, chosen) => ({
      move_block: page.blockWith(phraseOf(chosen)).id,
      after_block: null,
    })),
  },
  {
    name: 'others replaced beside by REST',
    ...rest((_, chosen) => ({
      old_string: lineOf(chosen),
      new_string: ['zz', ...chosen.words, ...chosen.after, 'zz'].join(' '),
    })),
  },
  {
    name: 'replaced by REST',
    takes: true,
    ...rest((_, chosen) => ({ old_string: phraseOf(chosen), new_string: 'zz' })),
  },
  {
    name: 'replaced as a document',
    ...rest((page, chosen) => ({ replace_document: rewritten(page, chosen) })),
  },
  {
    name: 'suggestion of the words accepted',
    home: 'paragraph',
    becomes: ['ZZZZZ'],
    run: (page, chosen) => page.accept(phraseOf(chosen), 'ZZZZZ'),
  },
  {
    name: 'suggestion of the words around accepted',
    home: 'paragraph',
    run: (page, chosen) => page.accept(lineOf(chosen), `zz ${lineOf(chosen)} zz`),
  },
  {
    name: 'suggestion beside in the cell accepted',
    home: 'cell',
    run: (page, chosen) => page.accept(lineOf(chosen), `zz ${lineOf(chosen)}`),
  },
  {
    name: 'typed before, a restart, typed again',
    home: 'paragraph',
    async run(page, chosen) {
      page.change((tr) => tr.insertText('zz ', startOf(page, chosen)))
      await page.restart()
      page.change((tr) => tr.insertText('zz ', startOf(page, chosen)))
    },
  },
]

function deleteWords(page: AnchorPage, chosen: Chosen): void {
  page.change((tr) => tr.delete(startOf(page, chosen), endOf(page, chosen)))
}
