/**
 * Text to the clipboard, also where it must be asked for first: the write begins within the click,
 * as browsers demand, and the text arrives later.
 */

import { Trouble } from '../api/trouble.ts'

export async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard === undefined) {
    copyBySelection(await text)
    return
  }
  if (typeof text === 'string') {
    await navigator.clipboard.writeText(text)
    return
  }
  const blob = text.then((arrived) => new Blob([arrived], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

/** The same with its look. */
export async function copyHtml(html: string, text: Promise<string>): Promise<void> {
  if (navigator.clipboard === undefined) {
    copyByEvent(html, await text)
    return
  }
  const blob = (type: string, said: string) => new Blob([said], { type })
  const item = new ClipboardItem({
    'text/html': left(text.then(() => blob('text/html', html))),
    'text/plain': left(text.then((arrived) => blob('text/plain', arrived))),
  })
  await navigator.clipboard.write([item])
}

/** A clipboard that refuses the item waits for no part of it: that one fails is nobody's news then. */
function left<Part>(part: Promise<Part>): Promise<Part> {
  part.catch(() => undefined)
  return part
}

/** Where a page has no clipboard of its own: over plain http on a local network. */
function copyBySelection(text: string): void {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Trouble('Your browser blocked copying.')
}

/** The same with its look, whatever is selected. */
function copyByEvent(html: string, text: string): void {
  const allow = (event: Event) => event.preventDefault()
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/html', html)
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('beforecopy', allow, true)
  document.addEventListener('copy', fill, true)
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill, true)
  document.removeEventListener('beforecopy', allow, true)
  if (!isCopied) throw new Trouble('Your browser blocked copying.')
}
