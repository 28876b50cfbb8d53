/** A document as another of one's own, made on home: its text, and copies of its images. */
import { type OwnImage, pathOfImage, withImageAddresses } from '../../schema/own-images.ts'
import { absolute, under } from '../api/base.ts'
import { createDocument, readMarkdown, replaceDocument } from '../api/documents.ts'
import { sendImage } from '../api/uploads.ts'

/** Resolves with how many images are still the original's. */
export async function duplicateDocument(slug: string): Promise<number> {
  const { markdown } = await readMarkdown(slug)
  const { id, revision } = await createDocument(markdown)
  let left = 0
  const copied = await withImageAddresses(markdown, async (image) => {
    const address = image.slug === slug ? await copyOf(image, id) : undefined
    if (image.slug === slug && address === undefined) left += 1
    return address
  })
  if (copied !== markdown) await replaceDocument(id, { markdown: copied, revision })
  return left
}

/** The address of the copy; `undefined`: there is none, and the original can still be seen. */
async function copyOf(image: OwnImage, slug: string): Promise<string | undefined> {
  try {
    const read = await fetch(under(pathOfImage(image)))
    if (!read.ok) return undefined
    const sending = { onProgress: () => {}, signal: new AbortController().signal }
    const { url } = await sendImage(slug, await read.blob(), sending)
    return absolute(url)
  } catch {
    return undefined
  }
}
