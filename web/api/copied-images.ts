/** Copies of the images of one document for another that has its text. */
import { type OwnImage, pathOfImage, withImageAddresses } from '../../schema/own-images.ts'
import { absolute, under } from './base.ts'
import { type CreatedDocument, replaceDocument } from './documents.ts'
import { ApiError } from './http.ts'
import { sendImage } from './uploads.ts'

/** The images of the document `slug` that this text shows. */
export async function imagesOf(slug: string, markdown: string): Promise<readonly OwnImage[]> {
  const found: OwnImage[] = []
  await withImageAddresses(markdown, async (image) => {
    if (image.slug === slug) found.push(image)
    return undefined
  })
  return found
}

/**
 * Gives `made`, which has this text, copies of these images. Resolves with how many are still the
 * original's: they can be seen there, and the text is worth having without them.
 */
export async function copyImages(
  images: readonly OwnImage[],
  markdown: string,
  { id, revision }: CreatedDocument,
): Promise<number> {
  const copies = new Map<string, string>()
  for (const image of images) {
    const address = await copyOf(image, id)
    if (address !== undefined) copies.set(pathOfImage(image), address)
  }
  if (copies.size === 0) return images.length
  const copied = await withImageAddresses(markdown, async (image) => copies.get(pathOfImage(image)))
  try {
    await replaceDocument(id, { markdown: copied, revision })
    return images.length - copies.size
  } catch (error) {
    if (error instanceof ApiError) return images.length
    throw error
  }
}

/** The address of the copy; `undefined`: there is none, for want of a line or of room. */
async function copyOf(image: OwnImage, slug: string): Promise<string | undefined> {
  try {
    const read = await fetch(under(pathOfImage(image)), { referrerPolicy: 'no-referrer' })
    if (!read.ok) return undefined
    const sending = { onProgress: () => {}, signal: new AbortController().signal }
    const { url } = await sendImage(slug, await read.blob(), sending)
    return absolute(url)
  } catch {
    return undefined
  }
}
