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
    const positions = deletedPositions(transaction)
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

/** One position for each stretch that went and left nothing in its place. */
function deletedPositions(transaction: Y.Transaction): Y.RelativePosition[] {
  const positions = new Map<Y.Item | Y.AbstractType<unknown>, Y.RelativePosition>()
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (item) => {
    if (!(item instanceof Y.Item) || positions.size >= positionsMax) return
    if (!item.countable || item.parentSub !== null || isNew(transaction, item)) return
    const parent = item.parent as Y.AbstractType<unknown>
    if (parent._item?.deleted === true) return
    const left = nextKept(item, 'left')
    const right = nextKept(item, 'right')
    // What came instead flashes itself.
    if ([left, right].some((beside) => beside !== null && isNew(transaction, beside))) return
    positions.set(left ?? parent, left === null ? startOf(parent) : behind(left))
  })
  return [...positions.values()]
}

const isNew = ({ beforeState }: Y.Transaction, { id }: Y.Item): boolean =>
  id.clock >= (beforeState.get(id.client) ?? 0)

function nextKept(item: Y.Item, way: 'left' | 'right'): Y.Item | null {
  let at = item[way]
  while (at !== null && (at.deleted || !at.countable)) at = at[way]
  return at
}

const behind = (item: Y.Item) => new Y.RelativePosition(null, null, item.lastId, -1)

const startOf = (parent: Y.AbstractType<unknown>) =>
  Y.createRelativePositionFromTypeIndex(parent as Y.XmlFragment, 0)
