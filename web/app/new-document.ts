/** Makes an empty document and goes there; whoever made it owns it. */
import { addressOfNew, createDocument } from '../api/documents.ts'
import { rememberMade } from '../platform/this-browser.ts'

export async function openNewDocument(): Promise<void> {
  const made = await createDocument('')
  rememberMade(made.id)
  location.assign(addressOfNew(made))
}
