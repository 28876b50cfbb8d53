/**
 * Now and then the authors of a whole revision are stored, so that those of any later one are found
 * without reading the history from its beginning. They are those of a text that does not change any
 * more, and go with whatever commit is next.
 */
import { unattributed } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { type AuthorRun, documentRuns, type LeafAuthor } from '../../../schema/markdown/runs.ts'
import type { Flusher } from '../../commit/flusher.ts'
import type { DocumentJournal } from '../../commit/journal.ts'
import { jsonRecord } from '../../commit/participant.ts'
import type { Span } from '../../text/spans.ts'

export interface SealedText {
  readonly revision: number
  readonly text: DocumentText
}

interface Keeper {
  readonly journal: DocumentJournal
  readonly flusher: Flusher
  readonly leafAuthor: LeafAuthor
}

/** Of a text that is on disk, where they are due. */
export function keepAuthors(
  { revision, text }: SealedText,
  { journal, flusher, leafAuthor }: Keeper,
): void {
  if (!journal.authorsAreDue({ revision, text })) return
  const runs = documentRuns(text, leafAuthor)
  flusher.pending.authors = { revision, value: encodeAuthors(runs) }
  flusher.changed()
}

/** Each author once, and lengths. */
function encodeAuthors(runs: readonly AuthorRun[]): Uint8Array {
  const authors = [...new Set(runs.map(({ author }) => author))]
  const order = new Map(authors.map((author, index) => [author, index]))
  const spans = runs.map(({ from, to, author }) => [to - from, order.get(author)])
  return jsonRecord({ authors, spans })
}

export function decodeAuthors(value: Uint8Array): Span<string>[] {
  const { authors, spans } = JSON.parse(Buffer.from(value).toString()) as {
    readonly authors: readonly string[]
    readonly spans: readonly (readonly [length: number, author: number])[]
  }
  return spans.map(([length, author]) => ({ length, value: authors[author] ?? unattributed }))
}
