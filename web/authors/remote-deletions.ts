/**
 * Where others deleted something, told from the Yjs changes: a deletion carries no name, so its
 * positions wait until the service says whose revision it was. What somebody deletes who is here
 * and seen typing is told to nobody. It draws nothing.
 */
import * as Y from 'yjs'
import type { LiveEvent } from '../live/event-socket.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import { isSeenWriting, peersOf } from './peers.ts'

export interface DeletionParts {
  readonly session: DocumentSession
  readonly copy: Copy
}

/** Where something was, and who took it away. */
export interface RemoteDeletion {
  readonly actor: string
  readonly positions: readonly Y.RelativePosition[]
}

/** By then the service has long said whose it was. */
const attributedWithinMs = 2_000
/** More than these in one change say no more. */
const positionsMax = 16

export function watchRemoteDeletions(
  { session, copy }: DeletionParts,
  listener: (deletion: RemoteDeletion) => void,
): () => void {
  let waiting: Y.RelativePosition[] = []
  let since = 0
  const onTransaction = (transaction: Y.Transaction) => {
    if (transaction.local || !session.hasArrived.get()) return
    const changed: ReadonlyMap<unknown, Events> = transaction.changedParentTypes
    const positions = deletedPositions(changed.get(copy.fragment) ?? [])
    if (positions.length === 0) return
    const now = performance.now()
    waiting = [...(now - since < attributedWithinMs ? waiting : []), ...positions].slice(
      0,
      positionsMax,
    )
    since = now
  }
  const onEvent = (event: LiveEvent) => {
    if (event.type !== 'doc_changed' || waiting.length === 0) return
    const positions = performance.now() - since < attributedWithinMs ? waiting : []
    waiting = []
    const [actor] = event.actors
    if (actor === undefined || event.actors.length > 1 || positions.length === 0) return
    if (actor !== session.account.get()?.actor_id && !isSeen(copy, actor)) {
      listener({ actor, positions })
    }
  }
  copy.ydoc.on('afterTransaction', onTransaction)
  const stop = session.onEvent(onEvent)
  return () => {
    copy.ydoc.off('afterTransaction', onTransaction)
    stop()
  }
}

const isSeen = ({ awareness }: Copy, actor: string): boolean =>
  peersOf(awareness).some((peer) => peer.actor === actor && isSeenWriting(peer))

type Events = readonly Y.YEvent<Y.XmlFragment>[]

/** One position for each stretch that went and left nothing in its place. */
function deletedPositions(events: Events): Y.RelativePosition[] {
  const positions: Y.RelativePosition[] = []
  for (const { target, delta } of events) {
    let index = 0
    for (const [at, op] of delta.entries()) {
      // What came instead flashes itself.
      const isReplaced = [delta[at - 1], delta[at + 1]].some((beside) => beside?.insert)
      if (op.delete !== undefined && !isReplaced) {
        positions.push(Y.createRelativePositionFromTypeIndex(target, index, -1))
        if (positions.length === positionsMax) return positions
      }
      index += op.retain ?? sizeOf(op.insert)
    }
  }
  return positions
}

/** Of what a delta inserts: text, elements, or one thing. */
function sizeOf(inserted: unknown): number {
  if (typeof inserted === 'string' || Array.isArray(inserted)) return inserted.length
  return inserted === undefined ? 0 : 1
}
