/** Who wrote the document, put together from the rows of its history alone. */
import * as assert from 'uvu/assert'
import { decodeHistoryRow } from '../../core/commit/history-row.ts'
import type { AuthorRun } from '../../core/documents/contract.ts'
import { applyChange } from '../../core/text/text-change.ts'
import { docHistory, docText } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import { type ActorId, type Slug, unattributed } from '../../schema/ids.ts'
import { isLetter, lettersOf } from './alphabet.ts'

/**
 * One author a UTF-16 unit; of what no row tells, `unknown:unattributed`. Of `twice`, letters that
 * stood twice in some text, a row cannot say which of both went.
 */
export async function authorsByHistory(
  store: Store,
  slug: Slug,
  revision: number,
): Promise<{
  readonly text: string
  readonly authors: readonly ActorId[]
  readonly twice: ReadonlySet<string>
}> {
  // The first revision is stored whole.
  let text = Buffer.from((await store.get(docText(slug, 1)))?.value ?? []).toString()
  let authors: ActorId[] = []
  const twice = new Set<string>()
  const range = { gte: docHistory(slug, 1), lte: docHistory(slug, revision) }
  for await (const { value } of store.scan(range)) {
    const { splices, actors, credits = [], ...row } = decodeHistoryRow(value)
    const [first = unattributed, ...others] = actors
    const writer = others.length === 0 ? first : unattributed
    if (row.revision === 1) {
      authors = text.split('').map(() => writer)
      continue
    }
    text = applyChange(text, splices)
    for (const letter of repeated(text)) twice.add(letter)
    for (const { at, remove, insert } of splices.toReversed()) {
      authors.splice(at, remove, ...insert.split('').map(() => writer))
    }
    authors = credits.reduce(
      (before, { from, to, author }) => before.fill(author as ActorId, from, to),
      authors,
    )
  }
  return { text, authors, twice }
}

const repeated = (text: string): string[] =>
  lettersOf(text)
    .toSorted()
    .filter((letter, at, all) => letter === all[at - 1])

/**
 * Every letter is by whom a read says it is, unless one of both says it is by one of `movers`: who
 * writes a word anew where it stood is its author in Yjs, not in the text. Answers the letters.
 */
export async function assertHistoryAuthors(
  store: Store,
  read: {
    readonly slug: Slug
    readonly revision: number
    readonly markdown: string
    readonly authorship: readonly AuthorRun[]
  },
  movers: ReadonlySet<string>,
): Promise<{ readonly agreed: number; readonly moved: number }> {
  const { slug, revision, markdown, authorship } = read
  const { text, authors, twice } = await authorsByHistory(store, slug, revision)
  assert.is(text, markdown)
  let [agreed, moved] = [0, 0]
  for (const { from, to, author } of authorship) {
    for (let at = from; at < to; at++) {
      const letter = markdown[at] ?? ''
      if (!isLetter(letter) || twice.has(letter)) continue
      const said = authors[at] ?? unattributed
      if (said === author) agreed++
      else if (movers.has(said) || movers.has(author)) moved++
      else assert.is(said, author, `the history says another author at ${at} of ${markdown}`)
    }
  }
  return { agreed, moved }
}
