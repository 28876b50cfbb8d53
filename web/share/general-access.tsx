/** General access: who may come by the document's link, and as what. The owner sets it. */
import { Globe, Lock } from 'lucide-react'
import { type LinkAccess, setLinkAccess } from '../api/sharing.ts'
import { OptionMenu } from '../platform/option-menu.tsx'
import { useStore } from '../platform/store.ts'
import { Problem, type SharingProps, useChange } from './parts.tsx'
import { RoleMenu } from './role-menu.tsx'
import type { Shared } from './sharing.ts'
import { generalWords } from './words.ts'

/** `isAgain`: there is a link, which does not open the document at the moment. */
const modesWith = (isAgain: boolean) => [
  {
    value: 'restricted' as const,
    label: 'Restricted',
    more: 'Only people listed here and anyone with a link below can open it.',
  },
  {
    value: 'anyone' as const,
    label: 'Anyone with the link',
    more: `No sign-in required.${isAgain ? ' The previous link works again.' : ''}`,
  },
]

export function GeneralAccess({ session, sharing, shared }: SharingProps) {
  const change = useChange(sharing)
  const isOwner = useStore(session.role) === 'owner'
  const { general } = shared
  const { mode, role } = general
  const modes = modesWith(mode === 'restricted' && shared.links.some((link) => link.general))
  const set = (next: Partial<LinkAccess>) =>
    change.run(() => setLinkAccess(sharing.slug, { ...general, ...next }))
  const Icon = mode === 'anyone' ? Globe : Lock
  return (
    <section aria-labelledby="share-general">
      <h3 id="share-general">General access</h3>
      <div className="share-line">
        <span className="share-icon" data-open={mode === 'anyone' || undefined}>
          <Icon aria-hidden />
        </span>
        <span className="share-who">
          {isOwner ? (
            <OptionMenu
              label="General access"
              value={mode}
              options={modes}
              onChoose={(next) => set({ mode: next })}
            />
          ) : (
            <span className="share-name">
              {mode === 'anyone' ? 'Anyone with the link' : 'Restricted'}
            </span>
          )}
          <span className="share-soft">{wordsOf(shared)}</span>
          {isOwner ? null : <span className="share-soft">The owner can change this.</span>}
        </span>
        {isOwner && mode === 'anyone' ? (
          <RoleMenu
            label="Role for anyone with the link"
            value={role}
            onChoose={(next) => set({ role: next })}
          />
        ) : null}
      </div>
      <Problem text={change.problem} />
    </section>
  )
}

function wordsOf({ general, links, access }: Shared): string {
  const { mode, role } = general
  if (mode === 'anyone') {
    const more = role === 'viewer' ? '' : ' Anyone with only the address of this page can read.'
    return `${generalWords(general)}${more}`
  }
  const others = links.some((link) => !link.general) || access.share_address !== null
  return others
    ? 'Only people listed here and anyone with a link below can open it.'
    : 'Only people listed here can open it.'
}
