/** Ends the browser's session, and with it what the browser kept for whoever was here. */
import { logOut } from '../api/account.ts'
import { nobody, rememberActor } from '../platform/this-browser.ts'
import { OfflineCopies } from './offline-copies.ts'

/** A browser whose storage hangs signs out all the same. */
const forgottenWithinMs = 5_000

export async function forgetSession(actor: string): Promise<void> {
  await logOut()
  rememberActor(nobody)
  await forgetKept(actor)
}

/** What this browser kept for the account: its copies of documents, and files to be sent. */
export async function forgetKept(actor: string): Promise<void> {
  const copies = new OfflineCopies().dropAllOf(actor).catch(() => undefined)
  const files = import('./kept-uploads.ts')
    .then(({ KeptUploads }) => new KeptUploads().dropAllOf(actor))
    .catch(() => undefined)
  const late = new Promise((resolve) => setTimeout(resolve, forgottenWithinMs))
  await Promise.race([Promise.all([copies, files]), late])
}
