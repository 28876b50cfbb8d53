/**
 * A new document: its markdown becomes blocks, and the blocks its first snapshot, all under one
 * clientID of the creator's; that is revision 1. Nobody works with it yet, so that there is no
 * Y.Doc of it: whoever comes first loads it.
 */
import * as Y from 'yjs'
import { docRecord } from '../../../persistence/keys.ts'
import type { Store } from '../../../persistence/store.ts'
import { Refusal } from '../../../schema/errors.ts'
import { newBlockId, type Slug } from '../../../schema/ids.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { costOfParts } from '../../../schema/memory-cost.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import type { LinkAccess } from '../../commit/facts.ts'
import { factsOf, type Head } from '../../commit/head.ts'
import { DocumentJournal, type JournalMoment } from '../../commit/journal.ts'
import { type Extras, PendingCommit } from '../../commit/pending-commit.ts'
import { type HeldPermission, Withdrawn, type Writer, whyRefused } from '../../commit/permission.ts'
import { RecordTally } from '../../commit/record-tally.ts'
import { newRow } from '../../commit/revision-row.ts'
import { bytesOver } from '../../text/text-size.ts'
import { Authorship } from '../authorship/authorship.ts'
import type { Writers } from '../authorship/hues.ts'
import { creditNodes, writeContent } from '../model/first-content.ts'
import { EditClients } from '../state/edit-clients.ts'
import { BlockListing } from '../views/block-listing.ts'
import { encodeView } from '../views/stored-view.ts'
import { EscapedChunks, TextView } from '../views/text-view.ts'

export interface CreateParts {
  readonly store: Store
  readonly runtime: Runtime
  readonly slug: Slug
  readonly markdown: string
  readonly writer: Writer
  readonly linkAccess: LinkAccess
  readonly markdownMaxBytes: number
}

/** What is stored with it, and what it rests on. */
export interface Founded extends Pick<Extras, 'checks' | 'puts'> {
  readonly permissions: readonly (HeldPermission | undefined)[]
}

/** Built, and not stored yet. */
export interface NewDocument {
  /** As its readers will see it. */
  readonly view: TextView
  readonly journal: DocumentJournal
  readonly pending: PendingCommit
  readonly moment: JournalMoment
}

/**
 * Refuses INVALID_MARKDOWN for text over the parser's limits, and PAYLOAD_TOO_LARGE {limit, size}
 * for text with too many blocks, or too many bytes in its canonical form.
 */
export function buildDocument(parts: CreateParts): NewDocument {
  const { store, runtime, slug, writer, markdownMaxBytes: limit } = parts
  let blocks = 0
  const newId = () => {
    blocks++
    return newBlockId(runtime)
  }
  const parsed = parseMarkdown(parts.markdown)
  const nodes = creditNodes(parsed.children, { author: writer.actor, newId })
  const text = DocumentText.of(nodes)
  const size = bytesOver(text, limit)
  if (size !== undefined) throw new Refusal('PAYLOAD_TOO_LARGE', { limit, size })

  const pending = new PendingCommit()
  const { client, writers } = claimClient(pending, parts)
  const { snapshot, structs } = writeContent(nodes, client)
  pending.compact = true
  const now = runtime.now()
  pending.rows.set(1, newRow({ revision: 1, at: now, event: 'create' }, [writer], []))
  const head = headOf(parts.linkAccess, now)
  const facts = factsOf(slug, head)
  const view = new TextView(
    text,
    { revision: 1, facts, changedAt: now, writers, threads: [] },
    {
      escaped: new EscapedChunks(),
      listing: new BlockListing(),
      leafAuthor: () => writer.actor,
    },
  )
  pending.view = encodeView(view.describe())
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
  const moment = {
    revision: 1,
    sealed: { revision: 1, text },
    text,
    changedAt: now,
    weight: costOfParts({ structs, blocks, chars: text.length }),
    snapshot: () => snapshot,
  }
  return { view, journal, pending, moment }
}

/** The clientID under which all of it is written, with the records that say whose it is. */
function claimClient(
  pending: PendingCommit,
  { slug, runtime, writer }: CreateParts,
): { readonly client: number; readonly writers: Writers } {
  const ydoc = new Y.Doc()
  const authorship = new Authorship(ydoc, () => runtime.elapsed())
  const client = new EditClients({ ydoc, authorship, runtime }).of(writer.actor)
  for (const own of authorship.participants) {
    const key = (path: readonly (string | number)[]) => docRecord(slug, own.section, path)
    own.commit(
      { revision: 1, deleted: [], revived: [] },
      {
        put: (path, value) => pending.put(key(path), value),
        delete: (path) => pending.delete(key(path)),
      },
    )
  }
  return { client, writers: authorship.writers }
}

const headOf = (linkAccess: LinkAccess, now: number): Head => ({
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
  linkAccess,
  readOnly: false,
  commentsDisabled: false,
  life: { state: 'active' },
})

/**
 * All of it or nothing. Refuses UNAVAILABLE where the store fails; throws Withdrawn where it may
 * not be stored. `onFailed` is told of the store's error.
 */
export async function storeDocument(
  { journal, pending, moment }: NewDocument,
  { checks, puts, permissions }: Founded,
  onFailed: (error: unknown) => void,
): Promise<void> {
  pending.addExtras({ checks, puts })
  for (const permission of permissions) pending.addExtras({ checks: [], puts: [], permission })
  try {
    await journal.commit(pending, moment)
  } catch (error) {
    // A refusal says that somebody else wrote meanwhile.
    if (!(error instanceof Withdrawn || error instanceof Refusal)) onFailed(error)
    throw whyRefused(error)
  }
}
