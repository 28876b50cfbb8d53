/**
 * The blank lines between blocks. One is the canonical form; none, several, or blanks in them are
 * kept in the attribute `gap` of the block behind them, and hold where the grammar allows them:
 * some blocks would run into each other without a blank line.
 */
import type { Node } from 'prosemirror-model'
import { isDefinition } from './document-definitions.ts'
import { isEmptyParagraph } from './elision.ts'
import { isClosedHtml, isNamedHtml } from './html.ts'
import { isList, orderOf, sourceOf } from './node-attributes.ts'
import { isIndentedCode, isSetext, spellingOf } from './spelling.ts'

export const gapOf = (node: Node): string | null =>
  (node.attrs['gap'] as string | null | undefined) ?? null

const blankLines = /^(?:[ \t]*\n)*$/

/** The gap of a block as it was written, where it is one at all. */
export function writtenGap(node: Node): string | undefined {
  const gap = gapOf(node)
  return gap !== null && blankLines.test(gap) ? gap : undefined
}

/** The blank lines between two blocks outside lists, each with its line end. */
export function gapBetween(previous: Node, next: Node): string {
  const gap = writtenGap(next)
  if (gap === undefined || (gap === '' && !canTouch(previous, next))) return '\n'
  return gap
}

/**
 * What stands between the last character of a block and the first line of the next; before the
 * first block, blank lines alone.
 */
export function gapBefore(previous: Node | undefined, next: Node): string {
  if (previous !== undefined) return `\n${gapBetween(previous, next)}`
  return next.type.name === 'front_matter' ? '' : (writtenGap(next) ?? '')
}

/** Whether `next` may begin right below `previous` and still be read as a block of its own. */
export function canTouch(previous: Node, next: Node): boolean {
  const [before, after] = [printedType(previous), printedType(next)]
  if (isIndentedCode(next))
    return !isList(previous) && !isIndentedCode(previous) && !isOpen(previous)
  switch (before) {
    case 'html_block':
      return isClosedHtml(sourceOf(previous))
    case 'table':
      return (
        after !== 'paragraph' && after !== 'table' && after !== 'link_definition' && !isSetext(next)
      )
    case 'blockquote':
      if (after === 'blockquote') return false
      break
    case 'link_definition':
      if (after === 'paragraph') return !/^["'(]/.test(next.textContent)
      break
  }
  return !isOpen(previous) || interrupts(previous, next)
}

/** What a block is read as: a definition that defines nothing is text. */
function printedType(block: Node): string {
  const { name } = block.type
  return name === 'link_definition' && !isDefinition(block) ? 'paragraph' : name
}

/** Whether a line of text behind the block would be read as more of it. */
function isOpen(block: Node): boolean {
  const { type, lastChild } = block
  if (printedType(block) === 'paragraph') return !isEmptyParagraph(block)
  if (type.name === 'blockquote' || type.name === 'list_item' || isList(block)) {
    return lastChild !== null && isOpen(lastChild)
  }
  return type.name === 'table' || (type.name === 'html_block' && !isClosedHtml(sourceOf(block)))
}

/** Whether it is how a rule is written that makes no heading of the line before it. */
function isNoUnderline(spelling: string): boolean {
  const line = spelling.trim()
  const signs = line.replace(/[ \t]/g, '')
  const isRule = /^(?:-{3,}|\*{3,}|_{3,})$/.test(signs) && /^ {0,3}\S/.test(spelling)
  return isRule && (line !== signs || !line.startsWith('-'))
}

/** Whether a block can begin in the line behind one of text. */
function interrupts(previous: Node, next: Node): boolean {
  switch (next.type.name) {
    case 'heading':
      return !isSetext(next)
    case 'code_block':
    case 'blockquote':
      return true
    case 'table':
      // Behind a quote or a list its first line would go on with what stands in there.
      return printedType(previous) === 'paragraph'
    case 'html_block':
      return interruptsAsHtml(sourceOf(next))
    case 'horizontal_rule':
      return previous.type.name !== 'paragraph' || isNoUnderline(spellingOf(next) ?? '')
    case 'bullet_list':
    case 'ordered_list': {
      // It is indented less than what the items of the other hold.
      if (isList(previous)) return true
      const first = next.firstChild?.firstChild
      if (!first || isEmptyParagraph(first)) return false
      return next.type.name === 'bullet_list' || orderOf(next) === 1
    }
    default:
      return false
  }
}

/** All but a lone tag of no block element. */
const interruptsAsHtml = (source: string): boolean => isClosedHtml(source) || isNamedHtml(source)
