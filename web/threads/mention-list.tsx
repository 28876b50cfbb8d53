/** Who may be meant, under the field in which somebody writes an @. */
import { Bot } from 'lucide-react'
import type { Mentions } from './mentions.ts'

interface MentionListProps {
  readonly id: string
  readonly mentions: Mentions
}

export function MentionList({ id, mentions }: MentionListProps) {
  const { found, chosen, pick } = mentions
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Mention"
      className="mentions"
      hidden={found.length === 0}
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
          <span className="mention-handle">@{one.handle}</span>
        </div>
      ))}
    </div>
  )
}
