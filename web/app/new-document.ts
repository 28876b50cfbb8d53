/** Makes an empty document and goes there; whoever made it owns it. `target`: where in a library. */
import { addressOfNew, createDocument } from '../api/documents.ts'
import { rememberMade } from '../platform/this-browser.ts'

export async function openNewDocument(target?: object): Promise<void> {
  const made = await createDocument('', target)
  rememberMade(made.id)
  location.assign(addressOfNew(made))
}
