/** A document as another of one's own, made on home: its text, and copies of its images. */
import { copyImages, imagesOf } from '../api/copied-images.ts'
import { createDocument, readMarkdown } from '../api/documents.ts'

/** Resolves with how many images are still the original's. */
export async function duplicateDocument(slug: string): Promise<number> {
  const { markdown } = await readMarkdown(slug)
  const made = await createDocument(markdown)
  return copyImages(await imagesOf(slug, markdown), markdown, made)
}
