/** One group of the timeline: when, who, what it is called; and what one can do with it. */

import { ChevronRight, Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type FormEvent, useState } from 'react'
import { type HistoryEntry, nameRevision } from '../api/history.ts'
import { troubleWords } from '../api/trouble.ts'
import { isHuman } from '../authors/author-book.ts'
import { authorship } from '../authors/authorship.ts'
import type { DocumentSession } from '../live/session.ts'
import { isComposing } from '../platform/composing.ts'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { timeOf } from '../platform/moments.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { leavesWriter } from '../platform/writers-place.ts'
import type { Shown } from './history-mode.ts'
import { actorsOf, type RevisionGroup } from './revision-groups.ts'
import type { RevisionList } from './revision-list.ts'

export interface RevisionGroupRowProps {
  readonly session: DocumentSession
  readonly past: RevisionList
  readonly group: RevisionGroup
  readonly revision: number
  readonly since: number | undefined
  show(next: Shown): void
}

const nameMaxChars = 100

export function RevisionGroupRow(props: RevisionGroupRowProps) {
  const { session, past, group, revision, since, show } = props
  const [isOpen, setOpen] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const { entries, newest, oldest, actors, name } = group
  const isShown = newest <= revision ? newest === revision : oldest <= revision
  const isBase = since !== undefined && oldest <= since && since <= newest
  const rename = async (next: string | null) => {
    setNaming(false)
    try {
      await nameRevision(session.slug, newest, next)
      past.named(newest, next)
    } catch (error) {
      notify(troubleWords(error), 'problem')
    }
  }
  return (
    <div
      className="revision-group"
      data-shown={isShown || undefined}
      data-base={isBase || undefined}
    >
      <div className="revision-group-line">
        {entries.length > 1 ? (
          <button
            type="button"
            className="revision-group-more"
            aria-expanded={isOpen}
            aria-label={`${entries.length} revisions`}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight aria-hidden />
          </button>
        ) : (
          <span className="revision-group-more" />
        )}
        <button
          type="button"
          className="revision-group-choose"
          aria-current={isShown || undefined}
          onClick={() => show({ revision: newest, since: isBase ? undefined : since })}
        >
          <span className="revision-group-when">
            {name === undefined ? timesOf(entries) : <strong>{name}</strong>}
            {isBase ? <span className="revision-group-base">compared from</span> : null}
          </span>
          {name === undefined ? null : (
            <span className="revision-group-sub">{timesOf(entries)}</span>
          )}
          <Actors session={session} actors={actors} />
        </button>
        <RowMenu
          canCompare={newest !== revision}
          isNamed={name !== undefined}
          onCompare={() => show({ revision, since: newest })}
          onName={() => setNaming(true)}
          onUnname={() => void rename(null)}
        />
      </div>
      {isNaming ? (
        <NameField initial={name ?? ''} onName={rename} onCancel={() => setNaming(false)} />
      ) : null}
      {isOpen ? <Revisions {...props} /> : null}
    </div>
  )
}

/** When it ended, and when it began if that is another minute. */
function timesOf(entries: readonly HistoryEntry[]): string {
  const [first, last] = [entries.at(-1), entries[0]].map((entry) =>
    timeOf(Date.parse(entry?.at ?? '')),
  )
  return first === last ? `${last}` : `${first} – ${last}`
}

function Actors({ session, actors }: { session: DocumentSession; actors: readonly string[] }) {
  const { book } = authorship(session)
  useStore(book.changes)
  return (
    <span className="revision-group-actors">
      {actors.slice(0, 6).map((actor) => {
        const { name, hue } = book.author(actor)
        return (
          <span key={actor} className="revision-group-actor" data-hue={hue}>
            <span
              className="revision-group-dot"
              data-agent={isHuman(actor) ? undefined : ''}
              aria-hidden
            />
            {name}
          </span>
        )
      })}
      {actors.length > 6 ? <span>and {actors.length - 6} more</span> : null}
    </span>
  )
}

const listedMax = 200

/** Each revision of it, with what is its own. */
function Revisions({ session, group, revision, show }: RevisionGroupRowProps) {
  const { book } = authorship(session)
  useStore(book.changes)
  const { entries } = group
  return (
    <ol className="revisions">
      {entries.slice(0, listedMax).map((entry) => (
        <li key={entry.revision}>
          <button
            type="button"
            className="revision"
            aria-current={entry.revision === revision || undefined}
            onClick={() => show({ revision: entry.revision, since: ownBase(entry, group) })}
          >
            <time dateTime={entry.at}>{secondsOf(entry.at)}</time>
            <span className="revision-who">
              {actorsOf(entry)
                .map((actor) => book.author(actor).name)
                .join(', ')}
            </span>
          </button>
        </li>
      ))}
      {entries.length > listedMax ? (
        <li className="timeline-occasion">
          {entries.length - listedMax} more. Use the slider to see them.
        </li>
      ) : null}
    </ol>
  )
}

/** The newest of a group stands for all of it, unless one asks for its own changes. */
const ownBase = ({ revision }: HistoryEntry, { newest }: RevisionGroup): number | undefined =>
  revision === newest && revision > 1 ? revision - 1 : undefined

const seconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const secondsOf = (at: string): string => seconds.format(Date.parse(at))

interface RowMenuProps {
  readonly canCompare: boolean
  readonly isNamed: boolean
  readonly onCompare: () => void
  readonly onName: () => void
  readonly onUnname: () => void
}

function RowMenu({ canCompare, isNamed, onCompare, onName, onUnname }: RowMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="button button-icon revision-group-menu"
        aria-label="Version menu"
      >
        <Ellipsis aria-hidden />
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          className="menu float history-menu"
          align="end"
          sideOffset={4}
          // What was chosen may have taken the focus to where it is needed.
          onCloseAutoFocus={leavesWriter}
        >
          <DropdownMenu.Item className="menu-item" disabled={!canCompare} onSelect={onCompare}>
            Show changes since this version
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={onName}>
            {isNamed ? 'Rename…' : 'Name this version…'}
          </DropdownMenu.Item>
          {isNamed ? (
            <DropdownMenu.Item className="menu-item" onSelect={onUnname}>
              Remove name
            </DropdownMenu.Item>
          ) : null}
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}

const focusIt = (element: HTMLElement | null) => element?.focus()

interface NameFieldProps {
  readonly initial: string
  readonly onName: (name: string | null) => void
  readonly onCancel: () => void
}

function NameField({ initial, onName, onCancel }: NameFieldProps) {
  const [name, setName] = useState(initial)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onName(name.trim() === '' ? null : name.trim())
  }
  return (
    <form className="revision-group-name" onSubmit={submit}>
      <input
        className="field"
        aria-label="Version name"
        placeholder="Version name"
        maxLength={nameMaxChars}
        value={name}
        ref={focusIt}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isComposing(event)) onCancel()
        }}
      />
      <button type="submit" className="button button-primary">
        Save
      </button>
    </form>
  )
}
