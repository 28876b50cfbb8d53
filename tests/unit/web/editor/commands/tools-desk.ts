/**
 * A desk for the editor's commands without a browser: documents written as markdown with the
 * selection in them. `¦` is a caret, `⟨…⟩` a selection. What comes out is compared as markdown with
 * the selection in it, and judged by the laws that hold for every command.
 */
import type { Mark, Node } from 'prosemirror-model'
import { type Command, EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import * as assert from 'uvu/assert'
import { documentSchema, identifiedTypes } from '../../../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { printDocument } from '../../../../../schema/markdown/printer.ts'
import { removeLinkAt, selectedLink, setLinkAt } from '../../../../../web/editor/commands/links.ts'

/** Every block has an id that tells where it stood: `b0`, `b1`… in document order. */
export function identified(doc: Node): Node {
  let count = 0
  const visit = (node: Node): Node => {
    if (node.isText || node.isInline) return node
    const attrs = identifiedTypes.has(node.type.name)
      ? { ...node.attrs, id: `b${count++}` }
      : node.attrs
    return node.type.create(attrs, node.children.map(visit), node.marks)
  }
  return visit(doc)
}

function placesOf(doc: Node, sign: string): number[] {
  const found: number[] = []
  doc.descendants((node, pos) => {
    if (!node.isText) return
    for (let at = node.text?.indexOf(sign) ?? -1; at >= 0; ) {
      found.push(pos + at)
      at = node.text?.indexOf(sign, at + 1) ?? -1
    }
  })
  return found
}

/** The state that `text` shows. */
export function desk(text: string): EditorState {
  const doc = identified(parseMarkdown(text))
  const state = EditorState.create({ doc, schema: documentSchema })
  const tr = state.tr
  const places = ['¦', '⟨', '⟩'].flatMap((sign) => placesOf(doc, sign)).sort((a, b) => a - b)
  for (const place of [...places].reverse()) tr.delete(place, place + 1)
  const [anchor = 1, head = anchor + 1] = places
  tr.setSelection(TextSelection.create(tr.doc, anchor, places.length > 1 ? head - 1 : anchor))
  return state.apply(tr)
}

/** The state as `desk` reads it. */
export function shown({ tr, selection: { empty, $from, $to } }: EditorState): string {
  if (empty) return printDocument(tr.insertText('¦', $from.pos).doc).trimEnd()
  const sign = (text: string, marks: readonly Mark[] = []) => documentSchema.text(text, marks)
  tr.insert($to.pos, sign('⟩', $to.nodeBefore?.marks))
  tr.insert($from.pos, sign('⟨', $from.nodeAfter?.marks))
  return printDocument(tr.doc).trimEnd()
}

/** What the command makes of `state`; the same state where it does nothing. */
export function run(state: EditorState, command: Command): EditorState {
  let after = state
  const isPossible = command(state)
  const isDone = command(state, (tr: Transaction) => {
    after = state.apply(tr)
  })
  assert.is(isPossible, isDone, 'the command says beforehand what it will say')
  lawful(after)
  return after
}

function lawful({ doc }: EditorState): void {
  doc.check()
  const ids = new Set<string>()
  doc.descendants((node) => {
    const { id } = node.attrs as { id?: string | null }
    if (typeof id === 'string') {
      assert.not(ids.has(id), `${id} stands twice`)
      ids.add(id)
    }
    if (node.isInline && !node.isText) assert.equal(node.marks, [], 'a leaf carries no marks')
  })
}

/** `command` makes `after` of `before`. */
export function check(before: string, command: Command, after: string): void {
  assert.is(shown(run(desk(before), command)), after)
}

/** The id of each block whose text is `text`, outermost first. */
export function idsOf({ doc }: EditorState, text: string): (string | null)[] {
  const ids: (string | null)[] = []
  doc.descendants((node) => {
    if ('id' in node.attrs && node.textContent === text) ids.push(node.attrs['id'] as string | null)
  })
  return ids
}

/** As the form does: the link at the caret, or what is selected, becomes one with this address. */
export function setLink(href: string, text?: string): Command {
  return (state, dispatch, view) => {
    const range = selectedLink(state) ?? state.selection
    return setLinkAt(range, { href, text })(state, dispatch, view)
  }
}

/** As the form does: the link at the caret, or all that are selected, go. */
export const removeLink: Command = (state, dispatch, view) =>
  removeLinkAt(selectedLink(state) ?? state.selection)(state, dispatch, view)
