/** Makes an empty document and goes there; whoever made it owns it. */
import { under } from '../api/base.ts'
import { addressOfNew, createDocument } from '../api/documents.ts'
import { ApiError } from '../api/http.ts'
import { beginDraft } from '../platform/drafts.ts'
import { rememberMade } from '../platform/this-browser.ts'
import { ensureAccount } from './ensure-account.ts'

/**
 * `target`: where in a library. Without a network the document is begun on this device, where the
 * page opens without the service.
 */
export async function openNewDocument(target?: object): Promise<void> {
  try {
    await ensureAccount().catch(unlessRefused)
    const made = await createDocument('', target)
    rememberMade(made.id)
    location.assign(addressOfNew(made))
  } catch (error) {
    const isOffline = error instanceof ApiError && error.code === 'OFFLINE'
    if (!isOffline || !navigator.serviceWorker?.controller) throw error
    location.assign(under(`/d/${beginDraft(target)}`))
  }
}

/** Where no account can be had the document is nobody's until somebody claims it. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof ApiError) || ![403, 429].includes(error.status)) throw error
}
