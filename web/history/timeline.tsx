/**
 * The timeline: a slider over all revisions, and the groups in which they were made, by days, the
 * newest first. A group opens to its single revisions; older ones are read as one scrolls there.
 */
import { useEffect, useRef, useState } from 'react'
import { authorship } from '../authors/authorship.ts'
import type { DocumentSession } from '../live/session.ts'
import { dayOf, timeOf } from '../platform/moments.ts'
import { useStore } from '../platform/store.ts'
import type { Shown } from './history-mode.ts'
import { RevisionGroupRow } from './revision-group-row.tsx'
import type { Row } from './revision-groups.ts'
import type { RevisionList, RevisionListState } from './revision-list.ts'

export interface TimelineProps {
  readonly session: DocumentSession
  readonly past: RevisionList
  readonly state: RevisionListState
  readonly rows: readonly Row[]
  readonly revision: number
  /** What somebody chose to see changes since. */
  readonly since: number | undefined
  readonly newest: number
  show(next: Shown): void
}

export function Timeline(props: TimelineProps) {
  const { past, state, rows, revision, newest, show } = props
  const [isNamed, setNamed] = useState(false)
  const shown = isNamed ? rows.filter(hasName) : rows
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (element === null || !state.hasMore || state.isReading) return undefined
    const sight = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void past.readMore()
      },
      { rootMargin: '400px' },
    )
    sight.observe(element)
    return () => sight.disconnect()
  }, [past, state])
  return (
    <nav className="timeline" aria-label="Versions">
      <div className="timeline-head">
        <label className="timeline-slider">
          <span>
            Revision {revision} of {newest}
          </span>
          <input
            type="range"
            min={1}
            max={newest}
            value={revision}
            onChange={({ target }) => show({ revision: Number(target.value) })}
          />
        </label>
        <label className="timeline-filter">
          <input
            type="checkbox"
            checked={isNamed}
            onChange={({ target }) => setNamed(target.checked)}
          />
          Named versions only
        </label>
      </div>
      <div className="timeline-rows">
        {shown.map((row, index) => {
          const [day, above] = [dayIn(row), shown[index - 1]]
          const isNewDay = above === undefined || dayIn(above) !== day
          return (
            <div key={keyOf(row)}>
              {isNewDay ? <h2 className="timeline-day">{day}</h2> : null}
              {row.kind === 'occasion' ? (
                <OccasionRow session={props.session} row={row} />
              ) : (
                <RevisionGroupRow {...props} group={row.group} />
              )}
            </div>
          )
        })}
        <div ref={end} className="timeline-end" role="status">
          {endSaid(state, shown.length, isNamed)}
        </div>
      </div>
    </nav>
  )
}

const hasName = (row: Row): boolean => row.kind === 'group' && row.group.name !== undefined

const firstOf = (row: Row) => (row.kind === 'occasion' ? row.entry : row.group.entries[0])

const dayIn = (row: Row): string => capital(dayOf(Date.parse(firstOf(row)?.at ?? '')))

const capital = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1)

const keyOf = (row: Row): string => `${row.kind} ${firstOf(row)?.revision}`

function endSaid({ hasMore, problem }: RevisionListState, count: number, isNamed: boolean): string {
  if (problem !== undefined) return problem
  if (hasMore) return 'Loading…'
  return isNamed && count === 0 ? 'No named versions yet.' : ''
}

const deeds: Readonly<Record<string, string>> = {
  access: 'changed who has access',
  settings: 'changed the settings',
  archive: 'archived the document',
  restore: 'restored the document',
  comment: 'added, edited or deleted a comment',
  suggestion: 'added or changed a suggestion',
  resolution: 'resolved or reopened a thread',
  reaction: 'added or removed a reaction',
}

interface OccasionProps {
  readonly session: DocumentSession
  readonly row: Extract<Row, { kind: 'occasion' }>
}

function OccasionRow({ session, row: { entry } }: OccasionProps) {
  const { book } = authorship(session)
  useStore(book.changes)
  return (
    <p className="timeline-occasion">
      {timeOf(Date.parse(entry.at))} · {book.author(entry.actor_id).name}{' '}
      {deeds[entry.event] ?? entry.event}
    </p>
  )
}
