/** Making a link of its own role; made, it is on the clipboard. */
import { Plus } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type GivenRole, makeLink, type NamedLink } from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { expiryOf, noExpiry } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { Problem, useChange, useInnerEscape, useInSight } from './parts.tsx'
import { RoleMenu } from './role-menu.tsx'
import type { Sharing } from './sharing.ts'
import { canDo } from './words.ts'

export interface NewLinkFormProps {
  readonly session: DocumentSession
  readonly sharing: Sharing
}

export function NewLinkForm(props: NewLinkFormProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (isOpen) return <Fields {...props} onClose={() => setOpen(false)} />
  return (
    <button ref={button} type="button" className="button button-line" onClick={() => setOpen(true)}>
      <Plus aria-hidden />
      New link
    </button>
  )
}

function Fields({
  session,
  sharing,
  onClose,
}: NewLinkFormProps & { readonly onClose: () => void }) {
  const [role, setRole] = useState<GivenRole>('viewer')
  const [name, setName] = useState('')
  const [ending, setEnding] = useState(noExpiry)
  const change = useChange(sharing)
  const problemId = useId()
  const account = useStore(session.account)
  useInnerEscape(onClose)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const place = useInSight<HTMLFormElement>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const end = expiryOf(ending)
    const asked = name.trim()
    const link = {
      role,
      ...(asked !== '' && { name: asked }),
      ...(end !== undefined && { expires_at: end }),
    }
    const making = change.run(() => makeLink(sharing.slug, link), messages)
    // The clipboard is asked within the click.
    const copied = copyText(making.then(urlOf)).then(
      () => `Link created and copied. Anyone with it ${canDo[role]}.`,
      () => 'Link created. Copy it from the list.',
    )
    if ((await making) === undefined) return field.current?.focus()
    onClose()
    notify(await copied)
  }
  const own = account === undefined || account.guest ? 'your-handle' : account.handle
  return (
    <form ref={place} className="share-form share-new" onSubmit={submit} aria-label="New link">
      <div className="share-fields">
        <input
          ref={field}
          className="field"
          aria-label="Link name (optional)"
          placeholder="Name (optional)"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={140}
          value={name}
          aria-invalid={change.problem !== undefined}
          aria-describedby={problemId}
          onChange={(event) => {
            setName(event.target.value)
            change.forget()
          }}
        />
        <RoleMenu label="Role" value={role} onChoose={setRole} />
        <ExpiryField value={ending} onChange={setEnding} describedBy={problemId} />
      </div>
      {change.problem === undefined ? (
        <p className="share-soft">
          The name becomes the end of the link, for example plan or @{own}/plan.
        </p>
      ) : null}
      <Problem id={problemId} text={change.problem} />
      <div className="share-form-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" aria-disabled={change.isBusy}>
          Create and copy
        </button>
      </div>
    </form>
  )
}

function urlOf(made: NamedLink | undefined): string {
  if (made === undefined) throw new Error('no link was made')
  return made.url
}

const messages = {
  NAME_TAKEN: 'This name is taken. Choose another name.',
  FORBIDDEN: 'Only the owner of that handle can use it. Use your own handle, or remove the @.',
  LIMIT_REACHED: 'This document has reached its limit of links. Revoke one first.',
}
