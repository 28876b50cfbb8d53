/** Asks before an earlier version becomes the text again, and says what the service answers. */
import { AlertDialog } from 'radix-ui'
import { useState } from 'react'
import { historyPage, restoreRevision } from '../api/history.ts'
import { ApiError } from '../api/http.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { historyMode } from './history-mode.ts'

export interface RestoreDialogProps {
  readonly session: DocumentSession
  readonly revision: number
  /** When that version was. */
  readonly when: string
  readonly newest: number
  readonly onClose: () => void
}

interface Trouble {
  readonly said: string
  /** What becomes of the comments, if one restores all the same. */
  readonly outcomes?: readonly unknown[]
  /** The text as it is by now. */
  readonly base?: number
}

export function RestoreDialog({ session, revision, when, newest, onClose }: RestoreDialogProps) {
  const [trouble, setTrouble] = useState<Trouble>()
  const [isBusy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    try {
      const base = trouble?.base ?? newest
      const { outcomes } = trouble ?? {}
      await restoreRevision(session.slug, {
        revision,
        base,
        ...(outcomes !== undefined && { outcomes }),
      })
      notify('Restored. What was there before is in the history.')
      historyMode(session).leave()
    } catch (error) {
      setTrouble(await troubleOf(error, session.slug))
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialog.Root open onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-scrim" />
        <AlertDialog.Content className="dialog history-asks">
          <AlertDialog.Title>Restore this version?</AlertDialog.Title>
          <AlertDialog.Description>
            The text will read as in the version of {when}, for everybody. What was changed since
            stays in the history and can be restored in the same way.
          </AlertDialog.Description>
          {trouble === undefined ? null : (
            <p className="problem history-trouble" role="alert">
              {trouble.said}
            </p>
          )}
          <div className="dialog-actions">
            <AlertDialog.Cancel className="button">Cancel</AlertDialog.Cancel>
            <button
              type="button"
              className="button button-primary"
              disabled={isBusy}
              onClick={restore}
            >
              {trouble === undefined ? 'Restore' : 'Restore all the same'}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

async function troubleOf(error: unknown, slug: string): Promise<Trouble> {
  if (!(error instanceof ApiError)) return { said: String(error) }
  if (error.code === 'EDIT_STALE') {
    const page = await historyPage(slug, { limit: 1 }).catch(() => undefined)
    const said = 'Somebody changed the text meanwhile. Restoring takes that back too.'
    const base = page?.entries[0]?.revision
    return base === undefined ? { said: error.message } : { said, base }
  }
  const { affected_comments: affected, suggested_outcomes: outcomes } = error.body
  if (error.code === 'EDITS_AFFECT_COMMENTS' && Array.isArray(affected)) {
    const some = affected.length === 1 ? 'A comment stands' : `${affected.length} comments stand`
    const said = `${some} on words that would go. They are kept where their words still stand.`
    return Array.isArray(outcomes) ? { said, outcomes } : { said }
  }
  return { said: error.message }
}
