/** Tokens for programs that the owner gave out: made, listed, revoked. The secret is shown once. */
import { Copy, Plus } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type GivenRole, type GivenToken, makeToken, takeAccess } from '../api/sharing.ts'
import { useStore } from '../platform/store.ts'
import { copyWith } from './copying.ts'
import { expiryOf, noExpiry } from './expiry.ts'
import { ExpiryField } from './expiry-field.tsx'
import { LinkRow } from './link-row.tsx'
import {
  Fold,
  Problem,
  type SharingProps,
  useChange,
  useInnerEscape,
  useInSight,
} from './parts.tsx'
import { RoleMenu } from './role-menu.tsx'
import type { Sharing } from './sharing.ts'
import { agoWords, canWords, endWords, usedWords } from './words.ts'

export function TokensFold({ session, sharing, shared }: SharingProps) {
  const isOwner = useStore(session.role) === 'owner'
  const { tokens } = shared.access
  if (!isOwner && tokens.length === 0) return null
  return (
    <Fold title="Tokens for programs" count={tokens.length}>
      <p className="share-soft">
        A program with a token can open this document with the token’s role. It chooses its own
        name.
      </p>
      <ul className="share-list">
        {tokens.map((token) => (
          <LinkRow
            key={token.token_id}
            sharing={sharing}
            title={canWords[token.role]}
            more={wordsOf(token)}
            action="Revoke token"
            onEnd={() => takeAccess(sharing.slug, token.token_id)}
          />
        ))}
      </ul>
      {isOwner ? <NewToken sharing={sharing} /> : null}
    </Fold>
  )
}

function wordsOf({ created_at: made, expires_at: end, last_used_at: used }: GivenToken): string {
  const said = [`created ${agoWords(made)}`, endWords(end), usedWords(used)]
  return said.filter((words) => words !== undefined).join(' · ')
}

function NewToken({ sharing }: { readonly sharing: Sharing }) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) {
    return <Secret secret={secret} onClose={() => setSecret(undefined)} />
  }
  if (isOpen) {
    return (
      <TokenFields
        sharing={sharing}
        onMade={(made) => {
          setSecret(made)
          setOpen(false)
        }}
        onClose={() => setOpen(false)}
      />
    )
  }
  return (
    <button type="button" className="button button-line" onClick={() => setOpen(true)}>
      <Plus aria-hidden />
      New token
    </button>
  )
}

interface TokenFieldsProps {
  readonly sharing: Sharing
  readonly onMade: (secret: string) => void
  readonly onClose: () => void
}

function TokenFields({ sharing, onMade, onClose }: TokenFieldsProps) {
  const [role, setRole] = useState<GivenRole>('editor')
  const [ending, setEnding] = useState(noExpiry)
  const change = useChange(sharing)
  const problemId = useId()
  useInnerEscape(onClose)
  const place = useInSight<HTMLFormElement>()
  useEffect(() => place.current?.querySelector('button')?.focus({ preventScroll: true }), [place])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const end = expiryOf(ending)
    const token = { role, ...(end !== undefined && { expires_at: end }) }
    const made = await change.run(() => makeToken(sharing.slug, token), {
      LIMIT_REACHED: 'This document has reached its limit of tokens. Revoke one first.',
    })
    if (made !== undefined) onMade(made.access_token)
  }
  return (
    <form ref={place} className="share-form share-new" onSubmit={submit} aria-label="New token">
      <div className="share-fields">
        <RoleMenu label="Role" value={role} onChoose={setRole} />
        <ExpiryField value={ending} onChange={setEnding} describedBy={problemId} />
      </div>
      <Problem id={problemId} text={change.problem} />
      <div className="share-form-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" aria-disabled={change.isBusy}>
          Create token
        </button>
      </div>
    </form>
  )
}

function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => copy.current?.focus({ preventScroll: true }), [])
  const place = useInSight<HTMLFieldSetElement>()
  return (
    <fieldset ref={place} className="share-new" aria-label="New token">
      <p>Copy it now. It will not be shown again. Keep it secret like a password.</p>
      <div className="share-fields">
        <input className="field share-secret" readOnly aria-label="Token" value={secret} />
        <button
          ref={copy}
          type="button"
          className="button button-line"
          onClick={() => copyWith(secret, 'Token copied.')}
        >
          <Copy aria-hidden />
          Copy
        </button>
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </fieldset>
  )
}
