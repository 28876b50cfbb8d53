/**
 * Code of other programs as `pre` elements with nothing but text. Code editors and terminals say by
 * style what it is, GitHub by the names of its lines. Blanks and empty lines are kept.
 */
import { all, rename, styleOf } from './elements.ts'

export const monospace = /mono|courier|consolas|menlo|fira code|source code/

/** Gives code that stands in no `pre` one. */
export function preformatted(root: HTMLElement): void {
  for (const box of all(root, 'div[style]')) {
    const isWritten = styleOf(box, 'white-space') === 'pre'
    const isCode = isWritten && monospace.test(styleOf(box, 'font-family'))
    if (isCode && box.closest('pre') === null) rename(box, 'pre')
  }
  for (const table of all(root, 'table')) {
    const lines = all(table, 'td.blob-code')
    if (lines.length > 0) table.replaceWith(preOf(root, lines))
  }
  const lines = all(root, '.react-file-line').filter((line) => line.closest('pre') === null)
  const first = lines[0]
  if (first === undefined) return
  const pre = preOf(root, lines)
  first.before(pre)
  for (const line of lines) line.remove()
}

function preOf(root: HTMLElement, lines: readonly HTMLElement[]): HTMLPreElement {
  const pre = root.ownerDocument.createElement('pre')
  pre.textContent = lines.map((line) => (line.textContent ?? '').replace(/\n$/, '')).join('\n')
  return pre
}

/** Lines of code are one text, whatever they were made of; the language is kept. */
export function code(pre: HTMLElement): void {
  if (pre.matches('[data-params], [data-html-block], [data-front-matter]')) return
  const named = [pre, ...all(pre, 'code'), pre.parentElement, pre.parentElement?.parentElement]
  const classes = named.map((element) => element?.className ?? '').join(' ')
  const language = /(?:language|lang|highlight-source|brush:)[- ]([\w+#-]+)/.exec(classes)?.[1]
  const children = [...pre.children] as HTMLElement[]
  const isOfLines = children.every((child) => child.matches('div, br'))
  // Where a line is a `div`, a break is an empty line; else it is the end of one.
  if (isOfLines && children.some((child) => child.matches('div'))) {
    for (const child of children) if (child.matches('br')) rename(child, 'div')
  }
  for (const line of all(pre, 'br')) line.replaceWith('\n')
  for (const line of all(pre, 'div, p, li, tr')) {
    if (line.nextSibling !== null && line.textContent?.endsWith('\n') !== true) line.append('\n')
  }
  const content = (pre.textContent ?? '').replaceAll('\u00a0', ' ')
  pre.textContent = content.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  pre.setAttribute('data-params', language ?? '')
}

/** The `pre` that is all there is in `root`, its text plain. */
export function onlyCode(root: HTMLElement): HTMLElement | undefined {
  preformatted(root)
  const pre = root.querySelector('pre')
  if (pre === null || root.querySelector('img, [data-pm-slice]') !== null) return undefined
  const isAll = root.textContent?.trim() === pre.textContent?.trim()
  if (isAll) code(pre)
  return isAll ? pre : undefined
}
