/**
 * Inviting an agent: what it may do, and the prompt to paste to it, with a link of its own. Loaded
 * with its first use.
 */
import { Copy, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { absolute } from '../api/base.ts'
import type { GivenRole } from '../api/sharing.ts'
import type { DocumentSession } from '../live/session.ts'
import { ProblemLine } from '../platform/problem-line.tsx'
import { useFocusBefore } from '../platform/writers-place.ts'
import { agentLink } from './agent-link.ts'
import { agentPrompt } from './agent-prompt.ts'
import { copyWith } from './copying.ts'
import { RoleMenu } from './role-menu.tsx'
import { canDo, problemOf } from './words.ts'

export interface InviteAgentProps {
  readonly session: DocumentSession
  readonly title: string
  readonly onClose: () => void
}

export function InviteAgentDialog({ session, title, onClose }: InviteAgentProps) {
  const [role, setRole] = useState<GivenRole>('editor')
  const { prompt, problem } = usePrompt(session, { title, role })
  const back = useFocusBefore(true)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-scrim" />
        <Dialog.Content
          className="dialog dialog-sheet invite-agent"
          aria-describedby={undefined}
          onCloseAutoFocus={back}
        >
          <header className="dialog-head">
            <Dialog.Title>Invite an agent</Dialog.Title>
            <Dialog.Close className="button button-icon" aria-label="Close">
              <X aria-hidden />
            </Dialog.Close>
          </header>
          <div className="dialog-body">
            <div className="share-line">
              <span className="share-who">
                <span className="share-name">Agent’s role</span>
                <span className="share-soft">
                  The prompt contains a new link. Anyone with it {canDo[role]}. You can revoke it
                  under “More links”.
                </span>
              </span>
              <RoleMenu label="Agent’s role" value={role} onChoose={setRole} />
            </div>
            <ProblemLine text={problem} />
            <textarea
              className="field invite-prompt"
              aria-label="Prompt for the agent"
              aria-busy={prompt === undefined && problem === undefined}
              readOnly
              rows={14}
              value={prompt ?? ''}
              onFocus={({ currentTarget: field }) => field.select()}
            />
          </div>
          <footer className="dialog-foot">
            <Dialog.Close className="button">Done</Dialog.Close>
            <button
              type="button"
              className="button button-primary dialog-done"
              disabled={prompt === undefined}
              onClick={() => prompt && copyWith(prompt, 'Prompt copied. Paste it to your agent.')}
            >
              <Copy aria-hidden />
              Copy prompt
            </button>
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface Prompt {
  readonly prompt?: string
  readonly problem?: string
}

/** With the link of this role, which is made where there is none. */
function usePrompt(
  session: DocumentSession,
  { title, role }: { readonly title: string; readonly role: GivenRole },
): Prompt {
  const [made, setMade] = useState<Prompt>({})
  useEffect(() => {
    let isOver = false
    setMade({})
    const { slug } = session
    agentLink(session, role).then(
      (link) => {
        const invitation = { slug, title, link, role, origin: absolute('') }
        if (!isOver) setMade({ prompt: agentPrompt(invitation) })
      },
      (error) => isOver || setMade({ problem: problemOf(error) }),
    )
    return () => {
      isOver = true
    }
  }, [session, title, role])
  return made
}
