/**
 * A new document: its markdown becomes blocks, the blocks become the Y.Doc's first transaction
 * under the creator's clientID, and the whole is revision 1, stored as a snapshot. Between the
 * costly steps the event loop gets its turn.
 */
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import type { Slug } from '../../../schema/ids.ts'
import type { Limits } from '../../../schema/limits.ts'
import { parsingMarkdown } from '../../../schema/markdown/parser.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { LinkAccess } from '../../commit/facts.ts'
import type { Head } from '../../commit/head.ts'
import { DocumentJournal } from '../../commit/journal.ts'
import type { Writer } from '../../commit/permission.ts'
import { RecordTally } from '../../commit/record-tally.ts'
import { bytesOver } from '../../text/text-size.ts'
import { Turns } from '../../turns/turns.ts'
import { encodingSnapshot } from '../../yjs/snapshot.ts'
import { DocumentState, type StateChange } from '../state/document-state.ts'

export interface NewDocument {
  readonly state: DocumentState
  readonly journal: DocumentJournal
  readonly change: StateChange
  readonly snapshot: Uint8Array
}

export interface CreateParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly slug: Slug
  readonly markdown: string
  readonly writer: Writer
  readonly linkAccess: LinkAccess
  readonly markdownMaxBytes: number
  readonly limits: Limits
}

/**
 * Nothing is stored yet. Refuses INVALID_MARKDOWN for text over the parser's limits, and
 * PAYLOAD_TOO_LARGE {limit, size} for text with too many blocks, or too many bytes in its canonical
 * form.
 */
export async function buildDocument(parts: CreateParts): Promise<NewDocument> {
  const { store, runtime, slug, writer, markdownMaxBytes: limit } = parts
  const turns = new Turns(runtime)
  const { children: nodes } = await turns.take(parsingMarkdown(parts.markdown))
  const state = new DocumentState(runtime, parts.limits)
  const change = await state.fill(nodes, writer.actor, turns)
  const size = bytesOver(state.text, limit)
  if (size !== undefined) {
    state.destroy()
    throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })
  }
  const snapshot = await turns.take(encodingSnapshot(state.ydoc))
  const now = runtime.now()
  const head: Head = {
    format: 1,
    revision: 0,
    seq: 0,
    chain: '',
    snapshotSeq: 0,
    snapshotHash: '',
    textRevision: 0,
    tally: { count: 0, hash: '' },
    createdAt: now,
    changedAt: now,
    linkAccess: parts.linkAccess,
    readOnly: false,
    commentsDisabled: false,
    life: { state: 'active' },
  }
  const journal = new DocumentJournal({
    store,
    slug,
    head,
    headVersion: undefined,
    tally: new RecordTally(),
    logRecords: 0,
    logBytes: 0,
    snapshot: undefined,
  })
  return { state, journal, change, snapshot }
}
