/** Letting somebody in by handle. */
import { useState } from 'react'
import { type GivenRole, invite } from '../api/sharing.ts'
import { HandleForm } from './handle-form.tsx'
import { RoleMenu } from './role-menu.tsx'
import type { Sharing } from './sharing.ts'
import { canDo } from './words.ts'

export interface InviteRowProps {
  readonly sharing: Sharing
  /** It takes the focus when it is drawn first. */
  readonly isFirst: boolean
}

export function InviteRow({ sharing, isFirst }: InviteRowProps) {
  const [role, setRole] = useState<GivenRole>('editor')
  return (
    <HandleForm
      sharing={sharing}
      name="Invite"
      label="Handle of a person or an agent"
      placeholder="@handle of a person or an agent"
      button="Invite"
      isPrimary
      isFirst={isFirst}
      send={(handle) => invite(sharing.slug, handle, role)}
      doneWords={({ name }) =>
        `${name} was invited and ${canDo[role]}. Copy the link and send it to them.`
      }
      messages={messages}
    >
      <RoleMenu label="Invite as" value={role} onChoose={setRole} />
    </HandleForm>
  )
}

const messages = (handle: string) => ({
  HANDLE_NOT_FOUND: `No account has the handle @${handle}. To invite someone without a handle, send a link.`,
  FORBIDDEN: `@${handle} owns this document.`,
  LIMIT_REACHED: 'This document has reached its limit of people. Remove someone first.',
})
