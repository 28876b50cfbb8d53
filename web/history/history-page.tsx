/**
 * The past, over the page: a revision with its changes marked, beside a timeline. The text beneath
 * goes on; who leaves is where they were.
 */
import { ArrowDown, ArrowLeft, ArrowUp, RotateCcw } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import { authorship } from '../authors/authorship.ts'
import type { DocumentSession } from '../live/session.ts'
import { momentOf } from '../platform/moments.ts'
import { useStore } from '../platform/store.ts'
import { useFocusBefore } from '../platform/writers-place.ts'
import { historyMode, type Shown } from './history-mode.ts'
import { openPast, type PastState } from './past.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { showText } from './shown-text.ts'
import { rowsOf } from './sittings.ts'
import { Timeline } from './timeline.tsx'
import { type ReadRevision, useRevision } from './use-revision.ts'

export interface HistoryPageProps {
  readonly session: DocumentSession
  readonly onClose: () => void
}

export function HistoryPage({ session, onClose }: HistoryPageProps) {
  const mode = historyMode(session)
  const shown = useStore(mode.shown) ?? {}
  const past = useMemo(() => openPast(session), [session])
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
          <Dialog.Title className="visually-hidden">History</Dialog.Title>
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

function Waiting(props: { readonly state: PastState; readonly onLeave: () => void }) {
  const { problem } = props.state
  return (
    <header className="history-bar">
      <Back onLeave={props.onLeave} />
      <span className={problem === undefined ? 'history-quiet' : 'problem'} role="status">
        {problem ?? 'Reading the history…'}
      </span>
    </header>
  )
}

interface VersionsProps {
  readonly session: DocumentSession
  readonly past: ReturnType<typeof openPast>
  readonly state: PastState
  readonly shown: Shown
  readonly newest: number
}

function Versions({ session, past, state, shown, newest }: VersionsProps) {
  const mode = historyMode(session)
  const rows = useMemo(() => rowsOf(state.entries), [state.entries])
  const sittings = rows.flatMap((row) => (row.kind === 'sitting' ? [row.sitting] : []))
  /** From then on the text is as it is now. */
  const latest = sittings[0]?.newest ?? newest
  const revision = Math.min(shown.revision ?? latest, newest)
  const sitting = sittings.find((one) => one.newest === revision)
  const before = (sitting?.oldest ?? revision) - 1
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
          {sitting?.name ?? title}
          <span className="history-quiet">
            {sitting?.name === undefined ? '' : ` ${title}`}
            {revision >= latest ? ' · as it is now' : ''}
          </span>
        </p>
        <Changes read={read} text={text} isChosen={shown.since !== undefined} show={show} />
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
      <main className="history-text" ref={text} aria-busy={isReading}>
        {problem === undefined ? null : (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        {read === undefined ? null : <Text session={session} read={read} />}
      </main>
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

interface ChangesProps {
  readonly read: ReadRevision | undefined
  readonly text: { readonly current: HTMLElement | null }
  readonly isChosen: boolean
  show(next: Shown): void
}

/** How much changed, and the way from one change to the next. */
function Changes({ read, text, isChosen, show }: ChangesProps) {
  if (read === undefined) return null
  const { changes, since, former } = read
  const count = changes.length
  const go = (way: 1 | -1) => {
    const all = [...(text.current?.querySelectorAll<HTMLElement>(marked) ?? [])]
    const middle = window.innerHeight / 2
    const centre = (one: HTMLElement) => {
      const { top, bottom } = one.getBoundingClientRect()
      return (top + bottom) / 2
    }
    const ahead = all.filter((one) => (centre(one) - middle) * way > 4)
    const next = way === 1 ? (ahead[0] ?? all[0]) : (ahead.at(-1) ?? all.at(-1))
    next?.scrollIntoView({ block: 'center' })
  }
  const said = count === 0 ? 'No changes' : count === 1 ? '1 change' : `${count} changes`
  return (
    <span className="history-changes">
      <span role="status">
        {since === undefined ? 'The first version' : said}
        {isChosen && since !== undefined ? ` since revision ${since}` : ''}
      </span>
      {count === 0 ? null : (
        <>
          <button
            type="button"
            className="button button-icon"
            aria-label="Previous change"
            onClick={() => go(-1)}
          >
            <ArrowUp aria-hidden />
          </button>
          <button
            type="button"
            className="button button-icon"
            aria-label="Next change"
            onClick={() => go(1)}
          >
            <ArrowDown aria-hidden />
          </button>
        </>
      )}
      {isChosen ? (
        <button
          type="button"
          className="button"
          onClick={() => show({ revision: former.revision })}
        >
          Only its own
        </button>
      ) : null}
    </span>
  )
}

const marked = '.rev-came, .rev-gone, .rev-gone-blocks, .rev-shaped'

function Text({
  session,
  read,
}: {
  readonly session: DocumentSession
  readonly read: ReadRevision
}) {
  const place = useRef<HTMLDivElement>(null)
  const { book } = authorship(session)
  useEffect(() => {
    if (place.current === null) return undefined
    const signs = (author: string) => book.author(author)
    const { doc, changes } = read
    const shown = showText(place.current, { slug: session.slug, doc, changes, signs })
    const stop = book.changes.subscribe(shown.refresh)
    return () => {
      stop()
      shown.destroy()
    }
  }, [session, read, book])
  useEffect(() => {
    const all = place.current?.querySelectorAll(marked) ?? []
    const isSeen = [...all].some((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return bottom > 48 && top < window.innerHeight
    })
    if (!isSeen) all[0]?.scrollIntoView({ block: 'center' })
  }, [read])
  return <div className="history-column" ref={place} />
}
