/** Handing the document on: offered by its owner, taken or declined by who gets it. */
import { type FormEvent, useId, useRef, useState } from 'react'
import { offerDocument } from '../api/sharing.ts'
import { useStore } from '../platform/store.ts'
import { Fold, Problem, type SharingProps, useChange } from './parts.tsx'

export function HandOver({ session, sharing, shared }: SharingProps) {
  const [handle, setHandle] = useState('')
  const [done, setDone] = useState<string>()
  const change = useChange(sharing)
  const field = useRef<HTMLInputElement>(null)
  const problemId = useId()
  if (useStore(session.role) !== 'owner') return null
  const { offer } = shared.access
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const asked = handle.trim().replace(/^@/, '')
    if (asked === '') return field.current?.focus()
    setDone(undefined)
    const offered = await change.run(() => offerDocument(sharing.slug, asked), told(asked))
    if (offered === undefined) return field.current?.focus()
    setHandle('')
    setDone('Offered. Until it is accepted you are the owner, and can withdraw it above.')
  }
  return (
    <Fold title="Hand over ownership">
      <p className="share-soft">
        Who accepts it owns the document: what you can do now, they can. You stay an editor. For 30
        days they can read it and decide.
        {offer === null ? null : ` A new offer takes the place of that to ${offer.name}.`}
      </p>
      <form className="share-form" onSubmit={submit} aria-label="Hand over ownership">
        <div className="share-fields">
          <input
            ref={field}
            className="field"
            aria-label="Handle of the next owner"
            placeholder="@handle of a person with an account"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            value={handle}
            aria-invalid={change.problem !== undefined}
            aria-describedby={problemId}
            onChange={(event) => {
              setHandle(event.target.value)
              change.forget()
              setDone(undefined)
            }}
          />
          <button type="submit" className="button button-line" aria-disabled={change.isBusy}>
            Offer
          </button>
        </div>
        <Problem id={problemId} text={change.problem} />
        <p className="share-done" role="status">
          {done}
        </p>
      </form>
    </Fold>
  )
}

const told = (handle: string) => ({
  HANDLE_NOT_FOUND: `Nobody here goes by @${handle}.`,
  FORBIDDEN: `@${handle} cannot own a document: only a person with an account can.`,
  ALREADY_OWNED: 'You own it already.',
})
