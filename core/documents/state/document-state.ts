/**
 * What an open document is in memory: the Y.Doc, which is the only truth, and all that is derived
 * from it and kept in step by each write: the ProseMirror mirror, the markdown with its
 * blocks, and authorship. Invariant: between two writes everything agrees, and no peer's bytes
 * are ever visible un-normalised. Knows nothing of stores, sockets or revisions.
 */
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'
import { type ActorId, type BlockId, newBlockId } from '../../../schema/ids.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { StructId } from '../../../schema/yjs/struct-id.ts'
import { clockOf, lacksStructs } from '../../../schema/yjs/structs.ts'
import { tidyAfter } from '../../../schema/yjs/tidy-formats.ts'
import type { AdmittedUpdate } from '../../commit/live-update.ts'
import type { GoneBlock, InsertedContent, Participant } from '../../commit/participant.ts'
import { lineDiff } from '../../text/line-diff.ts'
import { changeOf, type TextChange, type TextReplacement } from '../../text/text-change.ts'
import { SharedDoc } from '../../yjs/shared-doc.ts'
import { encodeSnapshot } from '../../yjs/snapshot.ts'
import { Authorship } from '../authorship/authorship.ts'
import type { Interval } from '../authorship/exceptions.ts'
import type { Reservations } from '../authorship/owners.ts'
import type { Operation } from '../edits/plan/operation.ts'
import { applyBlocks } from '../edits/write/blocks.ts'
import { applyDividing } from '../guard/dividing.ts'
import { BlockIds } from '../model/block-ids.ts'
import { followDefinitions } from '../model/follow-definitions.ts'
import { Mirror } from '../model/mirror.ts'
import { repairStructure } from '../model/repair.ts'
import { RevisionNames } from '../model/revision-names.ts'
import { Tombstones } from '../model/tombstones.ts'
import { type Clone, Redirects } from '../redirects/redirects.ts'
import { insertedBy } from '../threads/inserted-content.ts'
import { Threads } from '../threads/threads.ts'
import { EditClients } from './edit-clients.ts'

/** Owns the clientIDs under which the service repairs, ids and stamps what clients wrote. */
export const serverActor = 'service:corrections' as ActorId

/** What one write changed. */
export interface StateChange {
  /** Yjs updates (V1), in order; together they are the write with its corrections. */
  readonly updates: readonly Uint8Array[]
  /** The text before it. */
  readonly before: DocumentText
  readonly splices: TextChange
  readonly deleted: readonly GoneBlock[]
  readonly revived: readonly BlockId[]
  readonly came?: InsertedContent | undefined
}

/** What a state knows that is not stored, because it means nothing to another process. */
export interface StateMemory {
  /** The clientIDs under which edits of actors are written. */
  readonly clients: ReadonlyMap<ActorId, number>
  readonly reservations: Reservations
}

export class DocumentState {
  readonly ydoc = new SharedDoc({ gc: true })
  readonly fragment = this.ydoc.getXmlFragment(fragmentName)
  readonly authorship: Authorship
  readonly mirror: Mirror
  readonly blockIds: BlockIds
  readonly redirects = new Redirects()
  /** Kept in step by whoever numbers the revisions. */
  readonly tombstones: Tombstones
  readonly revisionNames = new RevisionNames()
  readonly threads: Threads
  #text = DocumentText.of([])
  readonly #runtime: Runtime
  readonly #clients: EditClients
  #clones: Clone[] = []
  #updates: Uint8Array[] | undefined
  // Made by each write for itself: a list made at the end of the one before would be in V8's old
  // generation by now, and keep what it is given until that is collected, long after it is dropped.
  #transactions: Y.Transaction[] | undefined
  #isListening = false

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.authorship = new Authorship(this.ydoc, () => runtime.elapsed())
    const { ydoc, authorship } = this
    this.#clients = new EditClients({ ydoc, authorship, runtime })
    this.mirror = new Mirror(this.fragment, (...of) => authorship.authorOf(...of))
    this.blockIds = new BlockIds(this.mirror, runtime)
    const stands = (id: BlockId) => this.blockIds.elementOf(id) !== undefined
    this.tombstones = new Tombstones({ stands })
    this.threads = new Threads(this)
  }

  get text(): DocumentText {
    return this.#text
  }

  /** Block nodes in the document now, cells too (`limits.blocksMax`). Constant time. */
  get blockCount(): number {
    return this.blockIds.blockCount
  }

  /** The whole as it is, grown from the snapshot before. */
  readonly snapshot = (before: Uint8Array | undefined): Uint8Array =>
    encodeSnapshot(this.ydoc, before)

  /** What is stored beside the text. */
  get participants(): readonly Participant[] {
    const { authorship, redirects, tombstones, revisionNames, threads } = this
    const own = [tombstones, revisionNames, threads]
    return [...authorship.participants, ...redirects.participants, ...own]
  }

  /** What no record tells of, and a load would lose. */
  get memory(): StateMemory {
    return { clients: this.#clients.all, reservations: this.authorship.reservations }
  }

  /** Takes over what the state that was here before knew; `isHere`: who has a socket. */
  recall({ clients, reservations }: StateMemory, isHere: (holder: string) => boolean): void {
    this.authorship.recall(reservations, isHere)
    this.#clients.recall(clients)
  }

  /** Takes over stored updates as they are (they were normalised when they were written). */
  load(writes: readonly ((ydoc: Y.Doc) => void)[]): void {
    Y.transact(this.ydoc, (transaction) => {
      for (const write of writes) write(this.ydoc)
      // There is nothing to tidy up: Yjs would look over all formats.
      transaction.local = true
    })
    this.#text = DocumentText.of(this.mirror.load())
    this.blockIds.load()
    this.threads.loaded()
  }

  /** Applies live updates of any number of actors as one write. Undefined: it changed nothing. */
  applyUpdates(entries: readonly AdmittedUpdate[]): StateChange | undefined {
    return this.#write((transaction) => {
      for (const entry of entries) {
        const brought = this.#applyUpdate(entry)
        this.authorship.note(transaction, entry.actor, brought)
      }
    }, true)
  }

  /** Answers the clientIDs of which there are new structs now. */
  #applyUpdate({ update, asSent, actor, claims, clients }: AdmittedUpdate): readonly number[] {
    for (const client of claims) this.authorship.claim(client, actor)
    // What it writes where text no longer stands is brought to where the text stands now.
    const displaced = this.redirects.isEmpty
      ? undefined
      : this.redirects.read(this.ydoc, update, asSent)
    applyDividing(this.ydoc, update)
    const brought = clients.map(({ client }) => client)
    if (displaced === undefined) return brought
    this.ydoc.clientID = this.#clients.of(actor)
    this.redirects.bring(this.ydoc, displaced)
    return [...brought, this.ydoc.clientID]
  }

  /** Applies planned edits, each by the smallest writes it needs, as one write. */
  applyOperations(operations: readonly Operation[], actor: ActorId): StateChange | undefined {
    return this.#write((transaction) => {
      const client = this.#clients.of(actor)
      this.ydoc.clientID = client
      const host = {
        fragment: this.fragment,
        children: [...this.mirror.children],
        actor,
        newId: () => newBlockId(this.#runtime),
        cloned: this.#cloned,
      }
      for (const { correspondence } of operations) applyBlocks(host, correspondence)
      this.authorship.noteEdit(transaction, actor, client)
    })
  }

  /** Where what this actor's edits write begins, from now on. */
  nextOf(actor: ActorId): StructId {
    const client = this.#clients.of(actor)
    return { client, clock: clockOf(this.ydoc, client) }
  }

  /** Text that was put in is others'. */
  credit(intervals: readonly Interval[]): StateChange | undefined {
    return this.#write(() => {
      for (const interval of intervals) this.authorship.credit(interval)
    })
  }

  /** Something that was loaded refers to what was not. */
  get lacksStructs(): boolean {
    return lacksStructs(this.ydoc)
  }

  destroy(): void {
    this.ydoc.destroy()
  }

  /** Text that was written again elsewhere stays its authors'. */
  readonly #cloned = (original: StructId, copy: StructId, length: number): void => {
    this.authorship.creditCopy(original, copy, length)
    this.#clones.push({ original, copy, length })
  }

  /**
   * One Yjs transaction: the write, then repair, block ids, links that go by a definition (edits
   * have seen to those) and authorship under the service's own clientID. It stays remote so that
   * Yjs cleans up formats here; Yjs would then replace a clientID that was used inside it, hence
   * the unused one at the end.
   */
  #write(write: (transaction: Y.Transaction) => void, isLive = false): StateChange | undefined {
    this.#listen()
    // Yjs's list of them is empty now, and old; see `#transactions`.
    this.ydoc.renewCleanups()
    Y.transact(
      this.ydoc,
      (transaction) => {
        write(transaction)
        this.ydoc.clientID = this.#clients.of(serverActor)
        const blocksChanged = repairStructure(transaction, this.mirror, this.#cloned)
        if (blocksChanged) this.blockIds.assign(transaction)
        if (isLive) followDefinitions(transaction, this.mirror, this.#text.definitions)
        this.authorship.project(transaction)
        this.ydoc.clientID = 0
        this.redirects.learn(this.ydoc, this.#clones)
        this.#clones = []
      },
      'write',
      false,
    )
    return this.#derive()
  }

  /** From the first write on: Yjs writes down each transaction only for who listens. */
  #listen(): void {
    if (this.#isListening) return
    this.#isListening = true
    this.ydoc.on('update', (update: Uint8Array) => {
      this.#updates ??= []
      this.#updates.push(update)
    })
    this.ydoc.on('afterTransaction', (transaction: Y.Transaction) => {
      this.#transactions ??= []
      this.#transactions.push(transaction)
      tidyAfter(transaction)
    })
  }

  /** After a write that changed nothing, what there is to store for it waits for the next one. */
  #derive(): StateChange | undefined {
    const updates = this.#updates
    if (updates === undefined) {
      this.#transactions = undefined
      return undefined
    }
    const former = this.#text
    const splices: TextReplacement[] = []
    for (const transaction of this.#transactions ?? []) {
      for (const { from, to, nodes } of this.mirror.refresh(transaction)) {
        const before = this.#text
        this.#text = before.splice(from, to, nodes)
        const only = to === from + 1 && nodes.length === 1 ? from : undefined
        splices.push(...lineDiff(before, this.#text, only))
      }
    }
    const { deleted, revived } = this.blockIds.takeChanges()
    const facts = { blockIds: this.blockIds, former }
    const came = this.threads.isEmpty ? undefined : insertedBy(this.#transactions ?? [], facts)
    this.#updates = undefined
    this.#transactions = undefined
    return { updates, before: former, splices: changeOf(splices), deleted, revived, came }
  }
}
