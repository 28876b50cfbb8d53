/**
 * Asks before an earlier version becomes the text again; where comments would lose their words,
 * which, and what becomes of each.
 */
import { AlertDialog } from 'radix-ui'
import { useState } from 'react'
import { type AffectedThread, affectedBy, historyPage, restoreRevision } from '../api/history.ts'
import { ApiError } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import { forgetEdits } from '../editor/binding/undo.ts'
import { rememberAct } from '../live/last-act.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { OfferedReport } from '../platform/offered-report.tsx'
import { historyMode } from './history-mode.ts'
import { AffectedComments, type Decisions, outcomesOf } from './restore-comments.tsx'

export interface RestoreDialogProps {
  readonly session: DocumentSession
  readonly revision: number
  /** When that version was. */
  readonly when: string
  readonly newest: number
  readonly onClose: () => void
}

export function RestoreDialog({ when, onClose, ...asked }: RestoreDialogProps) {
  const { affected, decisions, said, isOdd, isBusy, decide, restore } = useRestoring(asked)
  const count = affected.length
  return (
    <AlertDialog.Root open onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-scrim" />
        <AlertDialog.Content className="dialog history-asks">
          <AlertDialog.Title>
            {count === 0 ? 'Restore this version?' : titleFor(count)}
          </AlertDialog.Title>
          <AlertDialog.Description>
            {count === 0
              ? `The document goes back to the version of ${when} for everyone. Later versions stay in the version history.`
              : `The commented text is not in the version of ${when}. Choose what to do with ${count === 1 ? 'the comment' : 'each comment'}, then restore.`}
          </AlertDialog.Description>
          {count === 0 ? null : (
            <AffectedComments affected={affected} decisions={decisions} onDecide={decide} />
          )}
          {said === undefined ? null : (
            <p className="problem history-trouble" role="alert">
              {said}
              {isOdd ? <OfferedReport key={said} /> : null}
            </p>
          )}
          <div className="dialog-actions">
            <AlertDialog.Cancel className="button">Cancel</AlertDialog.Cancel>
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isBusy}
              onClick={() => {
                if (!isBusy) void restore()
              }}
            >
              {said === undefined || count > 0 ? 'Restore' : 'Restore anyway'}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

const titleFor = (count: number): string =>
  count === 1 ? 'This affects 1 comment' : `This affects ${count} comments`

/** That the comments are others by now than those that were asked about. */
const changedComments = ['UNDECLARED_ORPHAN', 'COMMENT_NOT_AT_RISK', 'COMMENT_NOT_FOUND']

/** How often it is tried again where others go on writing, once somebody said "all the same". */
const triesMax = 20

const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'EDIT_STALE'

function useRestoring({ session, revision, newest }: Omit<RestoreDialogProps, 'when' | 'onClose'>) {
  const [base, setBase] = useState(newest)
  const [affected, setAffected] = useState<readonly AffectedThread[]>([])
  const [decisions, decide] = useState<Decisions>(new Map())
  const [said, setSaid] = useState<string>()
  /** Nobody expects what went wrong. */
  const [isOdd, setOdd] = useState(false)
  const [isBusy, setBusy] = useState(false)
  /** Somebody knows that others write meanwhile, and wants it all the same. */
  const [isAllTheSame, setAllTheSame] = useState(false)
  const latest = async () => {
    const page = await historyPage(session.slug, { limit: 1 }).catch(() => undefined)
    return page?.entries[0]?.revision
  }
  const heed = async (error: unknown) => {
    const code = error instanceof ApiError ? error.code : undefined
    const asked = affectedBy(error)
    if (asked !== undefined) {
      setAffected(asked)
      return setSaid(undefined)
    }
    if (isStale(error)) {
      setBase((await latest()) ?? base)
      setAllTheSame(true)
      setAffected([])
      return setSaid('Someone has edited the document since. Restoring also undoes their changes.')
    }
    if (code !== undefined && changedComments.includes(code)) {
      setAffected([])
      return setSaid('The comments have changed. Select “Restore” to review them again.')
    }
    setOdd(true)
    setSaid(troubleWords(error))
  }
  const restore = async () => {
    setBusy(true)
    setOdd(false)
    try {
      const outcomes = outcomesOf(affected, decisions)
      const over = (base: number) => restoreRevision(session.slug, { revision, base, outcomes })
      let made = over(base)
      for (let tries = 1; isAllTheSame && tries < triesMax; tries++) {
        const isDone = await made.then(
          () => true,
          (error) => !isStale(error),
        )
        if (isDone) break
        made = over((await latest()) ?? base)
      }
      const { revision: restored } = await made
      const { doc } = session.copy.get().fragment
      if (doc !== null) forgetEdits(doc)
      rememberAct(session, [restored])
      notify('Version restored.')
      historyMode(session).leave()
    } catch (error) {
      await heed(error)
    } finally {
      setBusy(false)
    }
  }
  return { affected, decisions, said, isOdd, isBusy, decide, restore }
}
