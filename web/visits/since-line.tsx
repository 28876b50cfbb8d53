/**
 * What others changed since the last visit, in one quiet line under the bar, with the marks beside
 * the text: who, how many places, since when; to the next and back, and away with it. It goes by
 * itself when all was read.
 */
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { authorship } from '../authors/authorship.ts'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { useMayReadHistory } from '../history/history.tsx'
import { historyMode } from '../history/history-mode.ts'
import type { DocumentSession } from '../live/session.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { keyName } from '../platform/key-names.ts'
import { momentOf } from '../platform/moments.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { type ChangePlace, changePlacesOf, type FormerPlace } from './change-places.ts'
import { formerPlacesOf } from './former-places.ts'
import { drawMarks, type GutterMarks } from './gutter-marks.ts'
import type { Unread } from './last-visits.ts'
import { actorsOf, joined, named } from './unread.ts'
import { visitOf } from './visit.ts'

export interface SinceLineProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
  /** There is nothing to tell any more. */
  readonly onClose: () => void
}

const goneAfterMs = 5_000
const placedAfterMs = 300

export function SinceLine({ session, editor, actions, onClose }: SinceLineProps) {
  const visit = visitOf(session)
  const latest = useStore(visit.unread)
  const [unread, setUnread] = useState(latest)
  const places = usePlaces(session, editor, unread)
  const { names, say } = useWords(session, unread)
  const mayCompare = useMayReadHistory(session)
  const left = useRef<ReadonlySet<string>>(new Set())
  left.current = new Set(latest?.changes.map(({ block_id }) => block_id))
  useEffect(() => {
    if (latest !== undefined) {
      setUnread((before) => (before === undefined ? latest : joined(before, latest)))
      return undefined
    }
    const timer = window.setTimeout(onClose, goneAfterMs)
    return () => window.clearTimeout(timer)
  }, [latest, onClose])
  const marks = useMarks({ session, editor, places, say })
  useEffect(() => {
    const stops = [
      actions.handle('next-change', () => marks.current?.go(1)),
      actions.handle('previous-change', () => marks.current?.go(-1)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [actions, marks])
  if (unread === undefined) return null
  const open = places.filter(({ ids }) => ids.some((id) => left.current.has(id))).length
  const dismiss = () => {
    visit.dismiss()
    onClose()
  }
  return (
    <aside ref={passFocusToText} className="since-line" aria-label="Since your last visit">
      <p className="since-words" role="status">
        <span className="since-who">{names}</span>{' '}
        <span className="since-what">
          <span className="since-verb">changed </span>
          {countOf(places)}
          <span className="since-when"> since {momentOf(unread.since)}</span>
          {open < places.length ? ` · ${leftSaid(open)}` : ''}
        </span>
      </p>
      {mayCompare ? (
        <button
          type="button"
          className="button since-compare"
          title="Show these changes in the version history"
          onClick={() => historyMode(session).enter({ since: unread.from })}
        >
          Compare
        </button>
      ) : null}
      {places.length === 0 ? null : (
        <span className="since-ways">
          <button
            type="button"
            className="button button-icon"
            aria-label="Previous change"
            title={`Previous change (${keyName('Shift-F8')})`}
            onMouseDown={keepWritersPlace}
            onClick={() => marks.current?.go(-1)}
          >
            <ArrowUp aria-hidden />
          </button>
          <button
            type="button"
            className="button since-next"
            title={`Next change (${keyName('F8')})`}
            onMouseDown={keepWritersPlace}
            onClick={() => marks.current?.go(1)}
          >
            <ArrowDown aria-hidden />
            <span className="since-word">Next</span>
          </button>
        </span>
      )}
      <button
        type="button"
        className="button button-icon"
        aria-label="Dismiss"
        title="Dismiss"
        onMouseDown={keepWritersPlace}
        onClick={dismiss}
      >
        <X aria-hidden />
      </button>
    </aside>
  )
}

const countOf = ({ length }: readonly ChangePlace[]): string =>
  length === 0 ? 'the text' : length === 1 ? 'one place' : `${length} places`

const leftSaid = (count: number): string => (count === 0 ? 'all reviewed' : `${count} left`)

const deeds = { added: 'Added', changed: 'Changed', deleted: 'Deleted' } as const

/** Who it was, in words that follow what is learned of names. */
function useWords(session: DocumentSession, unread: Unread | undefined) {
  const { book } = authorship(session)
  useStore(book.changes)
  const nameOf = (actor: string) => book.author(actor).name
  const names = named(actorsOf(unread?.changes ?? []).map(nameOf))
  const say = ({ kind, actor_ids }: ChangePlace) =>
    `${deeds[kind]} by ${named(actor_ids.map(nameOf))} since ${momentOf(unread?.since ?? 0)}`
  return { names, say }
}

/** Found again when the text has changed, after a moment. */
function usePlaces(session: DocumentSession, { view }: Editor, unread: Unread | undefined) {
  const [places, setPlaces] = useState<readonly ChangePlace[]>([])
  const [formerPlaces, setFormerPlaces] = useState<ReadonlyMap<string, FormerPlace>>(new Map())
  useEffect(() => {
    let isGone = false
    formerPlacesOf(session.slug, unread?.changes ?? []).then((found) => {
      if (!isGone) setFormerPlaces(found)
    })
    return () => {
      isGone = true
    }
  }, [session, unread])
  useEffect(() => {
    let timer: number | undefined
    const find = () => {
      timer = undefined
      if (!view.isDestroyed)
        setPlaces(changePlacesOf(view.state.doc, unread?.changes ?? [], formerPlaces))
    }
    find()
    const stop = onViewUpdate(view, ({ state }, before) => {
      if (state.doc !== before.doc) timer ??= window.setTimeout(find, placedAfterMs)
    })
    return () => {
      window.clearTimeout(timer)
      stop()
    }
  }, [view, unread, formerPlaces])
  return places
}

interface MarksShown {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly places: readonly ChangePlace[]
  say(place: ChangePlace): string
}

function useMarks({ session, editor, places, say }: MarksShown) {
  const marks = useRef<GutterMarks>(undefined)
  const now = useRef({ say, places })
  now.current = { say, places }
  useEffect(() => {
    const visit = visitOf(session)
    const drawn = drawMarks({
      view: editor.view,
      book: authorship(session).book,
      isHere: visit.attendance.isHere,
      say: (place) => now.current.say(place),
      onRead(place) {
        visit.read(place.ids)
        // What has no place of its own goes with the last that has.
        const left = new Set(visit.unread.get()?.changes.map(({ block_id }) => block_id))
        const hasPlace = now.current.places.some(({ ids }) => ids.some((id) => left.has(id)))
        if (!hasPlace && left.size > 0) visit.read([...left])
      },
    })
    drawn.show(now.current.places)
    marks.current = drawn
    return () => {
      marks.current = undefined
      drawn.destroy()
    }
  }, [session, editor])
  useEffect(() => marks.current?.show(places), [places])
  return marks
}
