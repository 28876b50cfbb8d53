/**
 * Lists of other programs: Word's, which are paragraphs with a level; Google Docs', whose inner
 * lists stand beside items, not in them; and the many ways to write a task.
 */
import { all, rename } from './elements.ts'

/** Word writes list items as paragraphs that say their list and level in a style. */
export function listsOfWord(root: HTMLElement): void {
  const stack: { list: HTMLElement; level: number }[] = []
  let last: Element | null = null
  for (const paragraph of all(root, 'p')) {
    const level = wordLevel(paragraph)
    if (level === undefined) continue
    if (paragraph.previousElementSibling !== last || last === null) stack.length = 0
    while ((stack.at(-1)?.level ?? 0) > level) stack.pop()
    let top = stack.at(-1)
    if (top === undefined || top.level < level) {
      const list = root.ownerDocument.createElement(isNumbered(paragraph) ? 'ol' : 'ul')
      if (top === undefined) paragraph.before(list)
      else (top.list.lastElementChild ?? top.list).append(list)
      top = { list, level }
      stack.push(top)
    }
    for (const marker of markersOf(paragraph)) marker.remove()
    const item = root.ownerDocument.createElement('li')
    top.list.append(item)
    item.append(paragraph)
    last = stack[0]?.list ?? null
  }
}

function wordLevel(paragraph: HTMLElement): number | undefined {
  const style = paragraph.getAttribute('style') ?? ''
  const level = /mso-list:\s*[^\s:;]+\s+level(\d)/i.exec(style)?.[1]
  return level === undefined ? undefined : Number(level)
}

const markersOf = (paragraph: HTMLElement) =>
  all(paragraph, 'span').filter((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  )

const isNumbered = (paragraph: HTMLElement) =>
  /^\s*\(?[\da-z]{1,4}[.)]/i.test(markersOf(paragraph)[0]?.textContent ?? '')

export function tasksAndLists(root: HTMLElement): void {
  for (const list of all(root, 'ul > ul, ul > ol, ol > ul, ol > ol')) {
    const before = list.previousElementSibling
    if (before?.matches('li')) before.append(list)
    else {
      const item = root.ownerDocument.createElement('li')
      list.replaceWith(item)
      item.append(list)
    }
  }
  for (const stray of all(root, 'li')) {
    if (stray.parentElement?.matches('ul, ol') === true) continue
    if (stray.closest('[data-pm-slice]') === null && stray.parentElement !== root) {
      rename(stray, 'p')
    }
  }
  for (const item of all(root, 'li')) task(item)
  for (const list of all(root, 'ul, ol')) {
    const isLoose = [...list.children].some(
      (item) => item.querySelectorAll(':scope > p').length > 1,
    )
    list.setAttribute('data-tight', String(!isLoose))
  }
}

/** Recognises a checkbox, a role, or brackets at the start of an item. */
function task(item: HTMLElement): void {
  const box = item.querySelector<HTMLInputElement>('input[type="checkbox"]')
  const isOwn = box !== null && box.closest('li') === item
  const said = item.getAttribute('aria-checked') ?? item.getAttribute('data-checked')
  if (isOwn) {
    item.setAttribute('data-checked', String(box.hasAttribute('checked')))
    box.remove()
  } else if (said === 'true' || said === 'false') {
    item.setAttribute('data-checked', said)
    if (item.getAttribute('role') === 'checkbox') item.querySelector('img')?.remove()
  } else bracketedTask(item)
}

function bracketedTask(item: HTMLElement): void {
  const walker = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    if (text.trim() === '') continue
    const box = /^\s*\[([ xX]?)\]\s+/.exec(text)
    if (box === null || node.parentElement?.closest('li') !== item) return
    item.setAttribute('data-checked', String(box[1]?.toLowerCase() === 'x'))
    node.nodeValue = text.slice(box[0].length)
    return
  }
}
