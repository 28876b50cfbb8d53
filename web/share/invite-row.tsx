/** Letting somebody in by handle. */
import { type FormEvent, useId, useRef, useState } from 'react'
import { type GivenRole, invite } from '../api/sharing.ts'
import { Problem, useChange } from './parts.tsx'
import { RoleMenu } from './role-menu.tsx'
import type { Sharing } from './sharing.ts'
import { canDo } from './words.ts'

export interface InviteRowProps {
  readonly sharing: Sharing
  /** It takes the focus when it is drawn first. */
  readonly isFirst: boolean
}

export function InviteRow({ sharing, isFirst }: InviteRowProps) {
  const [handle, setHandle] = useState('')
  const [role, setRole] = useState<GivenRole>('editor')
  const [done, setDone] = useState<string>()
  const change = useChange(sharing)
  const field = useRef<HTMLInputElement>(null)
  const problemId = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const asked = handle.trim().replace(/^@/, '')
    if (asked === '') return field.current?.focus()
    setDone(undefined)
    const invited = await change.run(() => invite(sharing.slug, asked, role), told(asked))
    field.current?.focus()
    if (invited === undefined) return
    setHandle('')
    setDone(`${invited.name} ${canDo[role]} from now on. Copy the link to tell them where.`)
  }
  return (
    <form className="share-form" onSubmit={submit}>
      <div className="share-fields">
        <input
          ref={(element) => {
            if (isFirst && field.current === null) element?.focus()
            field.current = element
          }}
          className="field"
          aria-label="Handle of a person or an agent"
          placeholder="@handle of a person or an agent"
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
        <RoleMenu label="Invite as" value={role} onChoose={setRole} />
        <button type="submit" className="button button-primary" aria-disabled={change.isBusy}>
          Invite
        </button>
      </div>
      <Problem id={problemId} text={change.problem} />
      <p className="share-done" role="status">
        {done}
      </p>
    </form>
  )
}

const told = (handle: string) => ({
  HANDLE_NOT_FOUND: `Nobody here goes by @${handle}. A link lets in whoever has no handle.`,
  FORBIDDEN: `@${handle} owns this document.`,
  LIMIT_REACHED: 'As many as may be are invited. Remove somebody first.',
})
