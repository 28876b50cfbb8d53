/**
 * Who else is here, as their pages announce it in awareness: `user` says who, `cursor` where, in
 * y-prosemirror's shape, so that stock editors take part. A state is another machine's word: all of
 * it is checked, none of it is trusted for more than drawing.
 */
import * as Y from 'yjs'
import type { Copy } from '../live/session.ts'

export interface Peer {
  /** Its Yjs clientID. */
  readonly client: number
  readonly actor: string
  readonly name: string | undefined
  readonly cursor: PeerCursor | undefined
}

export interface PeerCursor {
  readonly anchor: Y.RelativePosition
  readonly head: Y.RelativePosition
  /** Equal for the same place. */
  readonly key: string
}

const nameMaxChars = 64

/**
 * Whether this one is seen writing: people, and whoever shows a caret. An agent on a socket of its
 * own that shows none is told by where it wrote, like one over REST.
 */
export const isSeenWriting = ({ actor, name, cursor }: Peer): boolean =>
  cursor !== undefined || (name !== undefined && actor.startsWith('human:'))

/** The others, in no order. */
export function peersOf(awareness: Copy['awareness']): Peer[] {
  const peers: Peer[] = []
  for (const [client, state] of awareness.getStates()) {
    if (client === awareness.clientID) continue
    const { user, cursor } = state as { user?: unknown; cursor?: unknown }
    peers.push({ client, ...whoOf(client, user), cursor: cursorOf(cursor) })
  }
  return peers
}

function whoOf(client: number, user: unknown): Pick<Peer, 'actor' | 'name'> {
  const said = isRecord(user) ? user : {}
  const name = textOf(said['name'])?.slice(0, nameMaxChars)
  const actor = textOf(said['actor_id']) ?? textOf(said['actor'])
  return { actor: actor ?? `human:client-${client}`, name }
}

function cursorOf(cursor: unknown): PeerCursor | undefined {
  if (!isRecord(cursor) || !isRecord(cursor['anchor']) || !isRecord(cursor['head'])) {
    return undefined
  }
  try {
    return {
      anchor: Y.createRelativePositionFromJSON(cursor['anchor']),
      head: Y.createRelativePositionFromJSON(cursor['head']),
      key: JSON.stringify(cursor),
    }
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
