/** Who may be meant, under the field in which somebody writes an @. */
import { Bot } from 'lucide-react'
import { isGuest, type Mentions } from './mentions.ts'

interface MentionListProps {
  readonly id: string
  readonly mentions: Mentions
}

export function MentionList({ id, mentions }: MentionListProps) {
  const { found, unreachable, chosen, pick } = mentions
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Mention"
      className="mentions"
      hidden={found.length + unreachable.length === 0}
    >
      {found.map((one, index) => (
        <div
          key={one.actor_id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="menu-item mention"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(one)}
          onKeyDown={undefined}
        >
          <span className="mention-name">{one.name}</span>
          {one.actor_id.startsWith('ai:') ? <Bot aria-label="agent" /> : null}
          <span className="mention-handle">{shownHandle(one.handle)}</span>
        </div>
      ))}
      {unreachable.map((name) => (
        <div
          key={name}
          role="option"
          tabIndex={-1}
          aria-disabled
          aria-selected={false}
          className="menu-item mention"
        >
          <span className="mention-name">{name}</span>
          <Bot aria-label="agent" />
          <span className="mention-handle">cannot be mentioned</span>
        </div>
      ))}
    </div>
  )
}

/** A guest's is made up of letters and digits, and tells nobody anything. */
const shownHandle = (handle: string): string => (isGuest(handle) ? 'guest' : `@${handle}`)
