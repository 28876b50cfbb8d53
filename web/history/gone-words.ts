/**
 * What is gone, as it is drawn struck through where it stood: words in a text, or blocks as the
 * page draws them, within the list or table that they were of.
 */
import type { Node } from 'prosemirror-model'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { drawnBlocks } from '../editor/model/drawn-blocks.ts'

/** Within a text. */
export function goneWords(text: string): HTMLElement {
  const element = document.createElement('del')
  element.className = 'rev-gone'
  element.append(plainOf(text))
  return element
}

/** Between the blocks that `parent` holds. */
export function goneBlocks(text: string, parent: Node): HTMLElement {
  if (parent.type.name === 'table') return goneRow(text)
  const { children } = parseMarkdown(text)
  const [first] = children
  const isItem = /_list$/.test(parent.type.name) && first !== undefined
  const blocks = isItem && /_list$/.test(first.type.name) ? first.children : children
  const element = document.createElement(isItem ? 'li' : 'div')
  element.className = 'rev-gone-blocks'
  element.contentEditable = 'false'
  for (const block of blocks) {
    element.append(drawnBlocks(block.type.name === 'list_item' ? block.content : [block]))
  }
  return element
}

function goneRow(text: string): HTMLElement {
  const row = document.createElement('tr')
  row.className = 'rev-gone-blocks'
  const [line = ''] = text.split('\n')
  for (const cell of line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/)) {
    row.insertCell().append(plainOf(cell.trim()))
  }
  return row
}

/** Without the marks of markdown where there is more than those. */
function plainOf(text: string): string {
  const isOneLine = !text.includes('\n')
  if (!isOneLine) return text.replace(/\n+/g, ' ¶ ')
  const words = text.trim()
  const at = text.indexOf(words)
  const [head, tail] = [text.slice(0, at), text.slice(at + words.length)]
  const doc = parseMarkdown(words)
  const [first] = doc.children
  const isPlain = doc.childCount === 1 && first?.type.name === 'paragraph'
  const said = isPlain ? first.textContent : words
  return head + (said === '' ? words : said) + tail
}
