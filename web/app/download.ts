/** The document as a file on this device, and as another document. Loaded with its first use. */
import type { EditorView } from 'prosemirror-view'
import { createDocument } from '../api/documents.ts'
import { readOkf } from '../api/life.ts'
import { rememberCopy, rememberMade } from '../platform/this-browser.ts'
import { CanonicalText } from '../source/canonical-text.ts'

/** What stands on the page, as canonical markdown. */
export const markdownOf = ({ state }: EditorView): string =>
  new CanonicalText(state.doc).text.toString()

export function downloadMarkdown(view: EditorView, title: string): void {
  save(markdownOf(view), `${fileName(title)}.md`)
}

/** What the service has, with what it knows of the document in front. */
export async function downloadOkf(slug: string, title: string): Promise<void> {
  save(await readOkf(slug), `${fileName(title)}.okf.md`)
}

/** A new document of one's own with the same text; goes there. */
export async function openDuplicate(view: EditorView, title: string): Promise<void> {
  const { id, share_url } = await createDocument(markdownOf(view))
  rememberMade(id)
  rememberCopy(id, title)
  location.assign(share_url)
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/markdown;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

const nameMax = 80

/** Of letters and digits in any script; no path, nothing that a file system would not take. */
export function fileName(title: string): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const name = [...words.join('-')].slice(0, nameMax).join('')
  return name === '' ? 'document' : name
}
