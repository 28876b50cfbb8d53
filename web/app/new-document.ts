/** Makes an empty document and goes there; whoever made it owns it. */
import { createDocument } from '../api/documents.ts'
import { rememberMade } from '../platform/this-browser.ts'

export async function openNewDocument(): Promise<void> {
  const { id, share_url } = await createDocument('')
  rememberMade(id)
  location.assign(share_url)
}
