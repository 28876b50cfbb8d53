/** Handing the document on: offered by its owner, taken or declined by who gets it. */
import { offerDocument } from '../api/sharing.ts'
import { useStore } from '../platform/store.ts'
import { HandleForm } from './handle-form.tsx'
import { Fold, type SharingProps } from './parts.tsx'

export function HandOver({ session, sharing, shared }: SharingProps) {
  if (useStore(session.role) !== 'owner') return null
  const { offer } = shared.access
  return (
    <Fold title="Hand over ownership">
      <p className="share-soft">
        Who accepts it owns the document: what you can do now, they can. You stay an editor. For 30
        days they can read it and decide.
        {offer === null ? null : ` A new offer takes the place of that to ${offer.name}.`}
      </p>
      <HandleForm
        sharing={sharing}
        name="Hand over ownership"
        label="Handle of the next owner"
        placeholder="@handle of a person with an account"
        button="Offer"
        send={(handle) => offerDocument(sharing.slug, handle)}
        doneWords={() =>
          'Offered: they find it under “Shared with me”. You can withdraw it above until it is accepted.'
        }
        told={told}
      />
    </Fold>
  )
}

const told = (handle: string) => ({
  HANDLE_NOT_FOUND: `Nobody here goes by @${handle}.`,
  FORBIDDEN: `@${handle} cannot own a document: only a person with an account can.`,
  ALREADY_OWNED: 'You own it already.',
})
