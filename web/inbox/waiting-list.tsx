/** What waits for somebody, the newest first, in the bar's panel and on home. */
import { ownHue } from '../../schema/hues.ts'
import type { InboxEntry } from '../api/inbox.ts'
import { useStore } from '../platform/store.ts'
import { EntryView } from './entry-view.tsx'
import type { Inbox } from './inbox.ts'

export interface WaitingListProps {
  readonly inbox: Inbox
  /** The document that is open. */
  readonly here?: string
  /** What colour an actor has in it; not given: the one that everybody guesses. */
  readonly hueOf?: (actor: string) => number
  /** Somebody goes to it; true: it is shown without leaving the page. */
  readonly onFollow?: (entry: InboxEntry) => boolean
}

const shownMax = 50

export function WaitingList({ inbox, here, hueOf = ownHue, onFollow }: WaitingListProps) {
  const waiting = useStore(inbox.waiting)
  return (
    <ul className="waiting-list">
      {waiting.slice(0, shownMax).map((entry) => (
        <EntryView
          key={entry.id}
          entry={entry}
          isHere={entry.document === null || entry.document.id === here}
          hue={hueOf(entry.actor.actor_id)}
          onSettled={inbox.settle}
          onFollow={onFollow}
        />
      ))}
    </ul>
  )
}
