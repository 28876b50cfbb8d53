/** Handing the document on: offered by its owner, taken or declined by who gets it. */
import { offerDocument } from '../api/sharing.ts'
import { useStore } from '../platform/store.ts'
import { HandleForm } from './handle-form.tsx'
import { Fold, type SharingProps } from './parts.tsx'

export function HandOver({ session, sharing, shared }: SharingProps) {
  if (useStore(session.role) !== 'owner') return null
  const { offer } = shared.access
  return (
    <Fold title="Transfer ownership">
      <p className="share-soft">
        The new owner gets full control when they accept. You stay an editor. The offer is valid for
        30 days, and they can read the document before they decide.
        {offer === null ? null : ` A new offer replaces the one to ${offer.name}.`}
      </p>
      <HandleForm
        sharing={sharing}
        name="Transfer ownership"
        label="Handle of the new owner"
        placeholder="@handle of a person with an account"
        button="Offer"
        send={(handle) => offerDocument(sharing.slug, handle)}
        doneWords={() =>
          'Offer sent. It is listed under “Shared with me” for them. You can withdraw it above until it is accepted.'
        }
        messages={messages}
      />
    </Fold>
  )
}

const messages = (handle: string) => ({
  HANDLE_NOT_FOUND: `No account has the handle @${handle}.`,
  FORBIDDEN: `@${handle} cannot own a document. Only people with an account can.`,
  ALREADY_OWNED: 'You already own this document.',
})
