/**
 * The document as another of one's own: the text that stands on the page, and copies of the images
 * it shows, which else would go with the original. Loaded with its first use.
 */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { createDocument, replaceDocument } from '../api/documents.ts'
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

/** Goes there. An image that cannot be copied stays the original's. */
export async function openDuplicate({ view, title, session }: Original): Promise<void> {
  const { doc } = view.state
  const images = ownImages(doc, session.slug)
  if (images.size > 0) {
    // Nobody uploads without a name.
    if (session.account.get() === undefined) await session.takeAccount()
    notify(images.size === 1 ? 'Copying the image…' : `Copying ${images.size} images…`)
  }
  const { id, share_url, revision } = await createDocument(markdownOf(doc))
  rememberMade(id)
  rememberCopy(id, title)
  const copies = await copied([...images.keys()], id)
  if (copies.size > 0) {
    const markdown = markdownOf(withSources(view, images, copies))
    await replaceDocument(id, { markdown, revision })
  }
  location.assign(share_url)
}

/** Where images of this document stand, by their address. */
function ownImages(doc: Node, slug: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  doc.descendants((node, pos) => {
    if (node.type.name !== 'image') return
    const read = imageAddress(String(node.attrs['src']), location.href)
    if (read.kind !== 'own' || !read.address.pathname.startsWith(`/docs/${slug}/`)) return
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
      copies.set(address, new URL(url, location.origin).href)
    } catch {
      // It can still be seen where it is: the copy is worth having without it.
    }
  }
  return copies
}

function withSources(
  { state }: EditorView,
  images: ReadonlyMap<string, readonly number[]>,
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
