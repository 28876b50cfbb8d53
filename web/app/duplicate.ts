/**
 * The document as another of one's own: the text that stands on the page, and copies of the images
 * it shows, which else would go with the original. Loaded with its first use.
 */
import type { EditorView } from 'prosemirror-view'
import { copyImages, imagesOf } from '../api/copied-images.ts'
import { addressOfNew, createDocument } from '../api/documents.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { rememberCopy, rememberMade } from '../platform/this-browser.ts'
import { markdownOf } from './download.ts'

export interface Original {
  readonly view: EditorView
  readonly title: string
  readonly session: DocumentSession
}

/** Goes there. An image that cannot be copied stays the original's, which is said there. */
export async function openDuplicate({ view, title, session }: Original): Promise<void> {
  const markdown = markdownOf(view.state.doc)
  const images = await imagesOf(session.slug, markdown)
  if (images.length > 0) {
    // Nobody uploads without a name.
    if (session.account.get() === undefined) await session.takeAccount()
    notify(images.length === 1 ? 'Copying the image…' : `Copying ${images.length} images…`)
  }
  const made = await createDocument(markdown)
  rememberMade(made.id)
  rememberCopy(made.id, { title, imagesLeft: await copyImages(images, markdown, made) })
  location.assign(addressOfNew(made))
}
