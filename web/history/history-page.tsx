/**
 * The past, over the page: a revision with its changes marked, beside a timeline. The text beneath
 * goes on; who leaves is where they were.
 */
import { ArrowLeft, RotateCcw } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import { authorship } from '../authors/authorship.ts'
import type { DocumentSession } from '../live/session.ts'
import { momentOf } from '../platform/moments.ts'
import { ProblemLine } from '../platform/problem-line.tsx'
import { useStore } from '../platform/store.ts'
import { useFocusBefore } from '../platform/writers-place.ts'
import { Changes } from './changes.tsx'
import { historyMode, type Shown } from './history-mode.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { rowsOf } from './revision-groups.ts'
import { openRevisionList, type RevisionListState } from './revision-list.ts'
import { Timeline } from './timeline.tsx'
import { useRevision } from './use-revision.ts'
import { VersionText } from './version-text.tsx'

export interface HistoryPageProps {
  readonly session: DocumentSession
  readonly onClose: () => void
}

export function HistoryPage({ session, onClose }: HistoryPageProps) {
  const mode = historyMode(session)
  const shown = useStore(mode.shown) ?? {}
  const past = useMemo(() => openRevisionList(session), [session])
  const state = useStore(past.state)
  useEffect(() => {
    void past.readMore()
    return () => past.close()
  }, [past])
  const newest = state.entries[0]?.revision
  const goBack = useFocusBefore(true)
  useOwnKeys()
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Content
          className="history"
          aria-describedby={undefined}
          onCloseAutoFocus={goBack}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement).focus()
          }}
          onEscapeKeyDown={(event) => {
            // A field in it is left first.
            if ((event.target as HTMLElement | null)?.matches('.field')) event.preventDefault()
          }}
          tabIndex={-1}
        >
          <Dialog.Title className="visually-hidden">Version history</Dialog.Title>
          {newest === undefined ? (
            <Waiting state={state} onLeave={onClose} />
          ) : (
            <Versions session={session} past={past} state={state} shown={shown} newest={newest} />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** What is in the past hears its keys; the page's own, which listens at the window, does not. */
function useOwnKeys(): void {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => event.stopPropagation()
    document.addEventListener('keydown', keep)
    return () => document.removeEventListener('keydown', keep)
  }, [])
}

const Back = ({ onLeave }: { readonly onLeave: () => void }) => (
  <button
    type="button"
    className="button history-back"
    aria-label="Back to the document"
    title="Back to the document (Esc)"
    onClick={onLeave}
  >
    <ArrowLeft aria-hidden />
    <span className="history-word">Document</span>
  </button>
)

function Waiting(props: { readonly state: RevisionListState; readonly onLeave: () => void }) {
  const { problem } = props.state
  return (
    <header className="history-bar">
      <Back onLeave={props.onLeave} />
      <span className={problem === undefined ? 'history-quiet' : 'problem'} role="status">
        {problem ?? 'Loading version history…'}
      </span>
    </header>
  )
}

interface VersionsProps {
  readonly session: DocumentSession
  readonly past: ReturnType<typeof openRevisionList>
  readonly state: RevisionListState
  readonly shown: Shown
  readonly newest: number
}

function Versions({ session, past, state, shown, newest }: VersionsProps) {
  const mode = historyMode(session)
  const rows = useMemo(() => rowsOf(state.entries), [state.entries])
  const groups = rows.flatMap((row) => (row.kind === 'group' ? [row.group] : []))
  /** From then on the text is as it is now. */
  const latest = groups[0]?.newest ?? newest
  const revision = Math.min(shown.revision ?? latest, newest)
  const group = groups.find((one) => one.newest === revision)
  const before = (group?.oldest ?? revision) - 1
  const since = shown.since ?? before
  const { read, isReading, problem } = useRevision({ slug: session.slug, revision, since })
  const [isRestoring, setRestoring] = useState(false)
  const canWrite = useStore(session.canWrite)
  const text = useRef<HTMLDivElement>(null)
  const book = authorship(session).book
  useStore(book.changes)
  const show = (next: Shown) => mode.show(next)
  const title = read === undefined ? '' : momentOf(Date.parse(read.former.at))
  return (
    <>
      <header className="history-bar">
        <Back onLeave={mode.leave} />
        <p className="history-title">
          {group?.name ?? title}
          <span className="history-quiet">
            {group?.name === undefined ? '' : ` ${title}`}
            {revision >= latest ? ' · current version' : ''}
          </span>
        </p>
        <Changes read={read} text={text} chosen={saidOf(shown.since, state)} show={show} />
        <span className="bar-space" />
        {revision >= latest || !canWrite ? null : (
          <button
            type="button"
            className="button button-primary"
            onClick={() => setRestoring(true)}
          >
            <RotateCcw aria-hidden />
            Restore
          </button>
        )}
      </header>
      <section className="history-text" aria-label="Text" ref={text} aria-busy={isReading}>
        <ProblemLine text={problem} />
        {read === undefined ? null : <VersionText session={session} read={read} />}
      </section>
      <Timeline
        session={session}
        past={past}
        state={state}
        rows={rows}
        revision={revision}
        since={shown.since}
        newest={newest}
        show={show}
      />
      {isRestoring ? (
        <RestoreDialog
          session={session}
          revision={revision}
          when={title}
          newest={newest}
          onClose={() => setRestoring(false)}
        />
      ) : null}
    </>
  )
}

/** A revision as one knows it from the timeline. */
function saidOf(revision: number | undefined, { entries }: RevisionListState): string | undefined {
  if (revision === undefined) return undefined
  const entry = entries.find((one) => one.revision === revision)
  return entry?.name ?? (entry && momentOf(Date.parse(entry.at))) ?? `revision ${revision}`
}
