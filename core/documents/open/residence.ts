/**
 * Whether an open document may leave memory, and what it costs to have it there: asked at each
 * commit. Structs are counted now and then; between two counts what was written since is taken for
 * the most that its bytes can become.
 */
import { limits } from '../../../schema/limits.ts'
import { costOfParts, costOfStored } from '../../../schema/memory-cost.ts'
import { countStructs } from '../../../schema/yjs/structs.ts'
import type { Flusher } from '../../commit/flusher.ts'
import type { DocumentJournal } from '../../commit/journal.ts'
import type { PendingCommit } from '../../commit/pending-commit.ts'
import type { LivePeers } from '../live/live-peers.ts'
import type { UpdateQueue } from '../live/update-queue.ts'
import type { DocumentState } from '../state/document-state.ts'

/** After so many bytes of updates the structs are counted anew, one list a client. */
const countEveryBytes = 8 * 1024

/** Comments are kept as strings in objects. */
const bytesPerSaidByte = 3

export interface ResidenceParts {
  readonly state: DocumentState
  readonly journal: DocumentJournal
  readonly flusher: Flusher
  readonly queue: UpdateQueue
  readonly peers: LivePeers
}

export class Residence {
  readonly #parts: ResidenceParts
  #counted = 0
  #bytesSince = Number.POSITIVE_INFINITY
  #isAsOpened = true

  constructor(parts: ResidenceParts) {
    this.#parts = parts
  }

  /** Whether it had better stay in memory, whoever holds it. */
  get isBusy(): boolean {
    const { journal, peers } = this.#parts
    const isLarge = journal.storedBytes > limits.dormantMaxBytes
    return this.isWorking || peers.hasFollowers || (isLarge && peers.count > 0)
  }

  /** Whether it cannot leave memory now, however much that is needed. */
  get isWorking(): boolean {
    const { flusher, queue, peers } = this.#parts
    return flusher.isFlushing || queue.length > 0 || peers.isBusy
  }

  /** Whether all who use it have only read since it was opened. */
  get isAsOpened(): boolean {
    return this.#isAsOpened
  }

  /** What it costs to have it in memory, the stored snapshot beside it included. */
  get bytes(): number {
    return this.#weight + this.#parts.journal.storedBytes
  }

  /** What the document costs with what a commit brings. */
  weighed({ updates }: PendingCommit): number {
    this.#isAsOpened = false
    for (const { length } of updates) this.#bytesSince += length
    return this.#weight
  }

  get #weight(): number {
    if (this.#bytesSince >= countEveryBytes) this.#count()
    const said = this.#parts.state.threads.bytes * bytesPerSaidByte
    return this.#counted + said + (this.#bytesSince > 0 ? costOfStored(this.#bytesSince) : 0)
  }

  #count(): void {
    const { ydoc, blockIds, text } = this.#parts.state
    const structs = countStructs(ydoc)
    this.#counted = costOfParts({ structs, blocks: blockIds.count, chars: text.length })
    this.#bytesSince = 0
  }
}
