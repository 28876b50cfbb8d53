/**
 * Links. A link is a mark on characters; around an image or an HTML atom, which carry no marks, it
 * is their `href`. What has no scheme and looks like a host becomes an https address.
 */
import type { Mark, Node, ResolvedPos } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { isSafeAddress } from '../../../schema/markdown/addresses.ts'
import { bareUrlLength } from '../../../schema/markdown/bare-urls.ts'
import { isInCode, marks, nodes } from './nodes.ts'

export interface LinkPlace {
  readonly from: number
  readonly to: number
  readonly href: string
  readonly title: string
}

/** The link that the character before or after `$pos` is in, the whole of it. */
export function linkAround($pos: ResolvedPos): LinkPlace | undefined {
  if (!$pos.parent.inlineContent) return undefined
  const inside = [$pos.nodeAfter, $pos.nodeBefore].map(linkOf).find((mark) => mark !== undefined)
  return inside && extent($pos, inside)
}

/** The link on both sides of a caret, or of the selection's first character. */
export function selectedLink(state: EditorState): LinkPlace | undefined {
  const { $from, $to, empty } = state.selection
  if (empty) return linkAround($from)
  const place = $from.nodeAfter && linkOf($from.nodeAfter) ? linkAround($from) : undefined
  return place !== undefined && place.to >= $to.pos ? place : undefined
}

const linkOf = (node: Node | null): Mark | undefined =>
  node === null ? undefined : marks.link.isInSet(node.marks)

function extent($pos: ResolvedPos, link: Mark): LinkPlace {
  const { parent } = $pos
  const has = (index: number) => linkOf(parent.maybeChild(index))?.eq(link) === true
  let first = $pos.index()
  if (!has(first)) first--
  let last = first
  while (has(first - 1)) first--
  while (has(last + 1)) last++
  const from = $pos.posAtIndex(first)
  const to = $pos.posAtIndex(last + 1)
  return { from, to, href: link.attrs['href'] as string, title: link.attrs['title'] as string }
}

/** The address a person meant; undefined where it must not be linked to. */
export function addressFrom(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || /[\r\n]/.test(text) || !isSafeAddress(text)) return undefined
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i.test(text)) return `https://${text}`
  return text
}

/** Whether a text is one address and nothing else, as somebody copies it. */
export function isAddress(text: string): boolean {
  const trimmed = text.trim()
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(trimmed)) return true
  return trimmed !== '' && bareUrlLength(trimmed) === trimmed.length
}

/** Links what is selected, or changes the link at the caret, or writes the address as a link. */
export function setLink(href: string, text?: string): Command {
  return (state, dispatch) => {
    const { $from, $to, empty } = state.selection
    if (!$from.parent.inlineContent || isInCode($from) || isInCode($to)) return false
    const { tr } = state
    const place = selectedLink(state)
    if (place !== undefined) relink(tr, place, { href, text })
    else if (empty) writeLink(tr, href, text ?? href)
    else linkRange(tr, state.selection.from, { to: state.selection.to, href })
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

function relink(
  tr: Transaction,
  place: LinkPlace,
  { href, text }: { readonly href: string; readonly text: string | undefined },
): void {
  const link = marks.link.create({ href, title: place.title })
  const written = tr.doc.textBetween(place.from, place.to)
  tr.removeMark(place.from, place.to, marks.link).addMark(place.from, place.to, link)
  const next = text ?? (written === place.href ? href : written)
  if (next === written || next === '') return
  const kept = tr.doc.resolve(place.from).marksAcross(tr.doc.resolve(place.to)) ?? [link]
  tr.replaceWith(place.from, place.to, tr.doc.type.schema.text(next, link.addToSet(kept)))
}

function writeLink(tr: Transaction, href: string, text: string): void {
  const { from } = tr.selection
  tr.insertText(text)
  tr.addMark(from, from + text.length, marks.link.create({ href }))
  tr.setSelection(TextSelection.create(tr.doc, from + text.length))
  tr.removeStoredMark(marks.link)
}

function linkRange(
  tr: Transaction,
  from: number,
  { to, href }: { readonly to: number; readonly href: string },
): void {
  tr.doc.nodesBetween(from, to, (node, pos, parent) => {
    if (node.isText && parent?.type.allowsMarkType(marks.link)) {
      const [start, end] = [Math.max(from, pos), Math.min(to, pos + node.nodeSize)]
      tr.addMark(start, end, marks.link.create({ href }))
    } else if (node.type === nodes.image || node.type === nodes.html_inline) {
      tr.setNodeAttribute(pos, 'href', href)
    }
  })
}

/** Takes the link at the caret, or all links in the selection, away; the words stay. */
export const removeLink: Command = (state, dispatch) => {
  const { from, to } = selectedLink(state) ?? state.selection
  const { tr } = state
  tr.removeMark(from, to, marks.link)
  tr.doc.nodesBetween(from, to, (node, pos) => {
    if (typeof node.attrs['href'] === 'string' && node.isInline) {
      tr.setNodeAttribute(pos, 'href', null)
    }
  })
  if (!tr.docChanged) return false
  dispatch?.(tr)
  return true
}
