/** Makes an empty document and goes there; whoever made it owns it. */
import { under } from '../api/base.ts'
import { addressOfNew, createDocument } from '../api/documents.ts'
import { ApiError } from '../api/http.ts'
import { beginDraft } from '../platform/drafts.ts'
import { rememberMade } from '../platform/this-browser.ts'

/**
 * `target`: where in a library. Without a network the document is begun on this device, where the
 * page opens without the service.
 */
export async function openNewDocument(target?: object): Promise<void> {
  try {
    const made = await createDocument('', target)
    rememberMade(made.id)
    location.assign(addressOfNew(made))
  } catch (error) {
    const isOffline = error instanceof ApiError && error.code === 'OFFLINE'
    if (!isOffline || !navigator.serviceWorker?.controller) throw error
    location.assign(under(`/d/${beginDraft(target)}`))
  }
}
