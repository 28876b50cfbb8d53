/** What a person does to a page at random: types, deletes, splits, converts, moves, undoes. */
import fc from 'fast-check'
import {
  chainCommands,
  joinBackward,
  lift,
  setBlockType,
  splitBlock,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { TextSelection } from 'prosemirror-state'
import { documentSchema as schema } from '../../../schema/document-schema.ts'
import { redoOwn, undoOwn } from '../../../web/editor/commands/own-undo.ts'
import { moveBlock } from '../../unit/web/editor/binding/bound-pages.ts'
import type { PageWithoutDom } from '../../unit/web/editor/binding/page-without-dom.ts'

const { nodes, marks } = schema

export interface Act {
  readonly kind: number
  readonly at: number
  readonly to: number
  readonly text: string
}

export const acts = fc.record({
  kind: fc.nat(17),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
  text: fc.constantFrom('a', 'aa', 'b ', '😀', 'é', 'word', '\n'),
})

/** One thing a person does. */
export function act(page: PageWithoutDom, { kind, at, to, text }: Act): void {
  const { state } = page
  const size = state.doc.content.size
  const place = (n: number) => {
    const $pos = state.doc.resolve(Math.round((n / 1_000) * size))
    const isInPair = /[\ud800-\udbff]$/.test($pos.nodeBefore?.text ?? '')
    return isInPair ? state.doc.resolve($pos.pos - 1) : $pos
  }
  const near = (n: number) => TextSelection.near(place(n))
  page.dispatch(state.tr.setSelection(near(at)))
  const select = () => {
    const selection = TextSelection.between(place(at), place(to))
    page.dispatch(page.state.tr.setSelection(selection))
  }
  if (kind < 5) page.dispatch(page.state.tr.insertText(text))
  else if (kind < 7) {
    select()
    page.dispatch(page.state.tr.deleteSelection())
  } else if (kind === 7) page.run(chainCommands(splitListItem(nodes.list_item), splitBlock))
  else if (kind === 8) page.run(joinBackward)
  else if (kind === 9) page.run(setBlockType(nodes.heading, { level: 2 }))
  else if (kind === 10) page.run(setBlockType(nodes.code_block))
  else if (kind === 11) {
    select()
    page.run(toggleMark(to % 2 === 0 ? marks.strong : marks.em))
  } else if (kind === 12) page.run(wrapInList(nodes.bullet_list))
  else if (kind === 13) {
    page.run(chainCommands(sinkListItem(nodes.list_item), wrapIn(nodes.blockquote)))
  } else if (kind === 14) page.run(chainCommands(liftListItem(nodes.list_item), lift))
  else if (kind === 15) moveBlock(page, at, to)
  else if (kind === 16) page.runInView(to % 2 === 0 ? undoOwn : redoOwn)
  else insertImage(page, text)
}

function insertImage(page: PageWithoutDom, alt: string): void {
  const image = nodes.image.create({ src: 'https://example.com/a.png', alt })
  const { parent } = page.state.selection.$from
  if (parent.type.spec.code !== true)
    page.dispatch(page.state.tr.replaceSelectionWith(image, false))
}
