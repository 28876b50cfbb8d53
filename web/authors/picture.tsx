/** The picture of somebody: the first letters of the name on their hue. Agents have a badge. */
import { Bot } from 'lucide-react'

export interface Pictured {
  readonly actor: string
  /** `undefined`: a reader without one. */
  readonly name: string | undefined
}

export const isAgent = ({ actor }: Pick<Pictured, 'actor'>): boolean => actor.startsWith('ai:')
export const nameOf = ({ name }: Pick<Pictured, 'name'>): string => name ?? 'A reader'

/** The first letters of the first two words. */
function initials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '')
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

export function Picture({ peer, hue }: { readonly peer: Pictured; readonly hue: number }) {
  const title = nameOf(peer)
  return (
    <span
      className="picture"
      data-hue={peer.name === undefined ? undefined : hue}
      data-agent={isAgent(peer) || undefined}
      title={title}
    >
      <span aria-hidden>{peer.name === undefined ? '·' : initials(title)}</span>
      {isAgent(peer) ? <Bot aria-hidden className="picture-badge" /> : null}
    </span>
  )
}
