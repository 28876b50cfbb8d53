/** The document as a file on this device. Loaded with its first use. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { type OwnImage, pathOfImage, withPresentImages } from '../../schema/own-images.ts'
import { absolute, under } from '../api/base.ts'
import { readOkf } from '../api/life.ts'
import { CanonicalText } from '../source/canonical-text.ts'

/** As markdown. */
export const markdownOf = (doc: Node): string => new CanonicalText(doc).text.toString()

export async function downloadMarkdown({ state }: EditorView, title: string): Promise<void> {
  const text = await withPresentImages(markdownOf(state.doc), absolute(''), isThere)
  save(text, `${fileName(title)}.md`)
}

/** Whether this service has the image. Where it cannot be asked, the address stays as it is. */
const isThere = async (image: OwnImage): Promise<boolean> => {
  const asked = fetch(under(pathOfImage(image)), { method: 'HEAD', redirect: 'manual' })
  return asked.then(
    ({ ok }) => ok,
    () => false,
  )
}

/** What the service has, with what it knows of the document in front. */
export async function downloadOkf(slug: string, title: string): Promise<void> {
  save(await readOkf(slug), `${fileName(title)}.okf.md`)
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
