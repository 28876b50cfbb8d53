/**
 * The document as another of one's own: the text that stands on the page, and copies of the images
 * it shows, which else would go with the original. Loaded with its first use.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { absolute, base, under } from '../api/base.ts'
import {
  addressOfNew,
  type CreatedDocument,
  createDocument,
  replaceDocument,
} from '../api/documents.ts'
import { ApiError } from '../api/http.ts'
import { sendImage } from '../api/uploads.ts'
import { imageAddress } from '../editor/node-views/image-address.ts'
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
  const { doc } = view.state
  const images = ownImages(doc, session.slug)
  if (images.size > 0) {
    // Nobody uploads without a name.
    if (session.account.get() === undefined) await session.takeAccount()
    notify(images.size === 1 ? 'Copying the image…' : `Copying ${images.size} images…`)
  }
  const made = await createDocument(markdownOf(doc))
  rememberMade(made.id)
  rememberCopy(made.id, { title, imagesLeft: await copyImages(view, images, made) })
  location.assign(addressOfNew(made))
}

/** Where each image stands, by its address. */
type Images = ReadonlyMap<string, readonly number[]>

/** With how many are still the original's: the copy is there, and worth having without them. */
async function copyImages(
  view: EditorView,
  images: Images,
  { id, revision }: CreatedDocument,
): Promise<number> {
  const copies = await copied([...images.keys()], id)
  if (copies.size === 0) return images.size
  try {
    const markdown = markdownOf(withSources(view, images, copies))
    await replaceDocument(id, { markdown, revision })
    return images.size - copies.size
  } catch (error) {
    if (error instanceof ApiError) return images.size
    throw error
  }
}

/** Where images of this document stand, by their address. */
function ownImages(doc: Node, slug: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  doc.descendants((node, pos) => {
    if (node.type.name !== 'image') return
    const read = imageAddress(String(node.attrs['src']), location.href, base)
    if (read.kind !== 'own' || !read.address.pathname.startsWith(under(`/docs/${slug}/`))) return
    const { href } = read.address
    found.set(href, [...(found.get(href) ?? []), pos])
  })
  return found
}

/** The address of each image's copy. */
async function copied(addresses: readonly string[], slug: string): Promise<Map<string, string>> {
  const copies = new Map<string, string>()
  for (const address of addresses) {
    try {
      const read = await fetch(address, { referrerPolicy: 'no-referrer' })
      if (!read.ok) continue
      const sending = { onProgress: () => {}, signal: new AbortController().signal }
      const { url } = await sendImage(slug, await read.blob(), sending)
      copies.set(address, absolute(url))
    } catch {
      // No line, or no room: it is counted as left, and can still be seen where it is.
    }
  }
  return copies
}

function withSources(
  { state }: EditorView,
  images: Images,
  copies: ReadonlyMap<string, string>,
): Node {
  const { tr } = state
  for (const [address, places] of images) {
    const copy = copies.get(address)
    if (copy === undefined) continue
    for (const pos of places) tr.setNodeAttribute(pos, 'src', copy)
  }
  return tr.doc
}
