/** Who makes a document has an account, a guest's where there was none: it is listed as theirs. */
import { becomeGuest, currentAccount } from '../api/account.ts'
import { newGuestName } from '../live/guest-name.ts'
import { rememberActor, rememberedName, rememberMadeUpName } from '../platform/this-browser.ts'

export async function ensureAccount(): Promise<void> {
  if ((await currentAccount()) !== undefined) return
  const remembered = rememberedName()
  const { actor_id: actor } = await becomeGuest(remembered ?? newGuestName())
  rememberActor(actor)
  if (remembered === undefined) rememberMadeUpName(actor)
}
