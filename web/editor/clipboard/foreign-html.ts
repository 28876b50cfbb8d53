/**
 * HTML of other programs (Google Docs, Word, Notion, GitHub, spreadsheets, code editors) brought to
 * the plain elements that the rules read: what they say by style becomes an element, their lists
 * and tasks become lists and tasks. Works on a tree that no page shows and that loads nothing.
 */
import { all, rename, styleOf } from './elements.ts'
import { classAlignments } from './foreign-alignment.ts'
import { code, monospace, preformatted } from './foreign-code.ts'
import { listsOfWord, tasksAndLists } from './foreign-list.ts'
import { withoutGaps } from './foreign-space.ts'
import { cleanTable } from './foreign-table.ts'

/** Changes `root` in place. */
export function cleaned(root: HTMLElement): void {
  for (const element of all(root, '[hidden], [aria-hidden="true"], input[type="hidden"]')) {
    if (!element.matches('input[type="checkbox"], img')) element.remove()
  }
  preformatted(root)
  listsOfWord(root)
  for (const element of all(root, '*')) byStyle(element)
  tasksAndLists(root)
  for (const pre of all(root, 'pre')) code(pre)
  withoutGaps(root)
  const classes = classAlignments(root)
  for (const table of all(root, 'table')) cleanTable(table, classes)
  for (const title of all(root, 'p.MsoTitle')) rename(title, 'h1')
  for (const anchor of all(root, 'a')) {
    if (anchor.textContent?.trim() === '' && anchor.querySelector('img') === null) anchor.remove()
  }
}

function byStyle(element: HTMLElement): void {
  if (!element.hasAttribute('style')) return
  if (styleOf(element, 'display') === 'none') {
    element.remove()
    return
  }
  const weight = styleOf(element, 'font-weight')
  const isBold = /^(bold|bolder|[6-9]00)$/.test(weight)
  // Google Docs wraps all of its HTML in a <b> of normal weight.
  if (weight !== '' && !isBold && element.matches('b, strong')) {
    element.replaceWith(...element.childNodes)
    return
  }
  const decoration = styleOf(element, 'text-decoration') + styleOf(element, 'text-decoration-line')
  const names: string[] = []
  if (isBold && !element.matches('b, strong, h1, h2, h3, h4, h5, h6, th')) names.push('strong')
  if (styleOf(element, 'font-style') === 'italic' && !element.matches('em, i')) names.push('em')
  if (decoration.includes('line-through') && !element.matches('s, del')) names.push('s')
  const isCode = monospace.test(styleOf(element, 'font-family'))
  if (isCode && element.matches('span') && element.closest('pre, code') === null) names.push('code')
  for (const name of names) wrapContent(element, name)
}

function wrapContent(element: HTMLElement, name: string): void {
  const isOfBlocks = element.querySelector('p, div, li, table, h1, h2, h3, h4, h5, h6') !== null
  if (isOfBlocks || element.childNodes.length === 0) return
  const wrapper = element.ownerDocument.createElement(name)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}
