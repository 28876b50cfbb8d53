/**
 * Links. A link is a mark on characters; around an image or an HTML atom, which carry no marks, it
 * is their `href`. What has no scheme and looks like a host becomes an https address.
 */
import type { Mark, Node, ResolvedPos } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { isSafeAddress } from '../../../schema/markdown/addresses.ts'
import { bareUrlLength, bareUrls } from '../../../schema/markdown/bare-urls.ts'
import type { DocRange } from '../model/doc-range.ts'
import { isInCode, marks, nodes } from '../model/nodes.ts'

export interface LinkRange extends DocRange {
  readonly href: string
  readonly title: string
}

/** The link that the character before or after `$pos` is in, the whole of it. */
export function linkAround($pos: ResolvedPos): LinkRange | undefined {
  if (!$pos.parent.inlineContent) return undefined
  const inside = [$pos.nodeAfter, $pos.nodeBefore].map(linkOf).find((mark) => mark !== undefined)
  return inside && extent($pos, inside)
}

/** The link on both sides of a caret, or of the selection's first character. */
export function selectedLink(state: EditorState): LinkRange | undefined {
  const { $from, $to, empty } = state.selection
  if (empty) return linkAround($from)
  const link = $from.nodeAfter && linkOf($from.nodeAfter) ? linkAround($from) : undefined
  return link !== undefined && link.to >= $to.pos ? link : undefined
}

const linkOf = (node: Node | null): Mark | undefined =>
  node === null ? undefined : marks.link.isInSet(node.marks)

function extent($pos: ResolvedPos, link: Mark): LinkRange {
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
  if (/^[^\s@/:]+@[^\s@/:.]+(?:\.[^\s@/:.]+)+$/.test(text)) return `mailto:${text}`
  if (/^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?$/i.test(text)) return `https://${text}`
  return text
}

/** Whether a text is one address and nothing else, as somebody copies it. */
export function isAddress(text: string): boolean {
  const trimmed = text.trim()
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(trimmed)) return true
  return trimmed !== '' && bareUrlLength(trimmed) === trimmed.length
}

export interface LinkValues {
  readonly href: string
  /** What is to stand there; not given: what does, or the new address where it was the old one. */
  readonly text?: string | undefined
}

/** Makes a link of [from, to), in place of any that is there; of an empty range a new one. */
export function setLinkAt({ from, to }: DocRange, { href, text }: LinkValues): Command {
  return (state, dispatch) => {
    const [$from, $to] = [state.doc.resolve(from), state.doc.resolve(to)]
    if (!$from.parent.inlineContent || isInCode($from) || isInCode($to)) return false
    const { tr } = state
    const written = isText($from, $to) ? state.doc.textBetween(from, to) : undefined
    const old = linkAround($from)
    const wanted = text || (written !== '' && written === old?.href ? href : written) || href
    if (written !== undefined && wanted !== written) {
      const marksThere = $from.marksAcross($to) ?? $from.marks()
      tr.replaceWith(from, to, tr.doc.type.schema.text(wanted, marksThere))
      linkRange(tr, from, { to: from + wanted.length, href })
      tr.setSelection(TextSelection.create(tr.doc, from + wanted.length))
      tr.removeStoredMark(marks.link)
    } else {
      linkRange(tr, from, { to, href })
    }
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** Whether a range is characters of one block and nothing else, so that it can be worded anew. */
export function isText($from: ResolvedPos, $to: ResolvedPos): boolean {
  if (!$from.sameParent($to)) return false
  let isAll = true
  $from.parent.nodesBetween($from.parentOffset, $to.parentOffset, (node) => {
    isAll &&= node.isText
  })
  return isAll
}

function linkRange(
  tr: Transaction,
  from: number,
  { to, href }: { readonly to: number; readonly href: string },
): void {
  tr.doc.nodesBetween(from, to, (node, pos, parent) => {
    if (node.isText && parent?.type.allowsMarkType(marks.link)) {
      const [start, end] = [Math.max(from, pos), Math.min(to, pos + node.nodeSize)]
      const title = (linkOf(node)?.attrs['title'] as string | undefined) ?? ''
      tr.addMark(start, end, marks.link.create({ href, title }))
    } else if (node.type === nodes.image || node.type === nodes.html_inline) {
      tr.setNodeAttribute(pos, 'href', href)
    }
  })
}

/** Takes all links in [from, to) away; the words stay. */
export function removeLinkAt({ from, to }: DocRange): Command {
  return (state, dispatch) => {
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
}

/** The bare URL around `$pos`: text that reads as a link and is none in the document. */
export function bareUrlAround($pos: ResolvedPos): LinkRange | undefined {
  const { parent, parentOffset } = $pos
  if (!parent.inlineContent || parent.type.spec.code) return undefined
  const start = $pos.start()
  for (const { from, to } of bareUrlsIn(parent)) {
    if (parentOffset >= from && parentOffset <= to) {
      const href = parent.textBetween(from, to)
      return { from: start + from, to: start + to, href, title: '' }
    }
  }
  return undefined
}

/** The bare URLs of a text block, from the start of its content; none in code and in links. */
export function bareUrlsIn(block: Node): readonly DocRange[] {
  if (!block.textContent.includes('://')) return []
  const found: DocRange[] = []
  let before = ''
  block.forEach((node, offset) => {
    const isPlain = node.isText && !marks.code.isInSet(node.marks) && !linkOf(node)
    const text = node.text ?? ''
    if (isPlain) {
      for (const [from, to] of bareUrls(text, before)) {
        found.push({ from: offset + from, to: offset + to })
      }
    }
    before = text.slice(-1)
  })
  return found
}
