/**
 * Who else is here, by their awareness states: `user` says who, by the service's word, and `cursor`
 * where, by their own, in y-prosemirror's shape, so that stock editors take part. All of it is
 * checked, and none of it is trusted for more than drawing.
 */
import * as Y from 'yjs'
import { isCursor } from '../../schema/presence-state.ts'
import { fieldsOf, peerOf } from '../live/presence.ts'
import type { Copy, Peer } from '../live/session.ts'

export interface PeerOnPage extends Peer {
  readonly cursor: PeerCursor | undefined
}

export interface PeerCursor {
  readonly anchor: Y.RelativePosition
  readonly head: Y.RelativePosition
  /** Equal for the same positions. */
  readonly key: string
}

/**
 * Whether this one is seen writing: people, and whoever shows a caret. An agent on a socket of its
 * own that shows none is told by where it wrote, like one over REST.
 */
export const isSeenWriting = ({ actor, name, cursor }: PeerOnPage): boolean =>
  cursor !== undefined || (name !== undefined && actor.startsWith('human:'))

/** The others, in no order. */
export function peersOf(awareness: Copy['awareness']): PeerOnPage[] {
  const peers: PeerOnPage[] = []
  for (const [client, state] of awareness.getStates()) {
    if (client === awareness.clientID) continue
    peers.push({ ...peerOf(client, state), cursor: cursorOf(fieldsOf(state)['cursor']) })
  }
  return peers
}

function cursorOf(cursor: unknown): PeerCursor | undefined {
  if (!isCursor(cursor)) return undefined
  return {
    anchor: Y.createRelativePositionFromJSON(cursor.anchor),
    head: Y.createRelativePositionFromJSON(cursor.head),
    key: JSON.stringify([cursor.anchor, cursor.head]),
  }
}
