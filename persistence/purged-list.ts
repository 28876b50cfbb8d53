/**
 * The documents that were deleted for good, in a file beside the store: one line each, slug and
 * time. A backup that is older than the deletion still has the document; with this file beside it
 * the service purges it again when it starts. It holds names of documents, nothing of theirs.
 */
import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSlug, type Slug } from '../schema/ids.ts'
import { isMissing, syncDirectory, writeFileDurably } from './durable-file.ts'

export interface PurgedList {
  /** Of the file as it was when it was read. */
  readonly slugs: readonly Slug[]
  /** Durable when it resolves. */
  add(slug: Slug, at: number): Promise<void>
}

/** No file is no line; what is no line of a document is passed over. */
export async function readPurgedList(
  path: string,
  { now, keptMs }: { readonly now: number; readonly keptMs: number },
): Promise<PurgedList> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return ''
    throw error
  })
  const all = text.split('\n').filter((line) => line !== '')
  const kept = all.filter((line) => !(timeOf(line) + keptMs < now))
  if (kept.length < all.length) await write(path, kept)
  const slugs = kept.map((line) => line.split(' ')[0] ?? '').filter(isSlug)
  return {
    slugs,
    async add(slug, at) {
      const file = await open(path, 'a', 0o600)
      try {
        // A line that a crash cut off is ended first.
        await file.writeFile(`\n${slug} ${new Date(at).toISOString()}\n`)
        await file.sync()
        await syncDirectory(dirname(path))
      } finally {
        await file.close()
      }
    },
  }
}

const write = (path: string, lines: readonly string[]): Promise<void> =>
  writeFileDurably(path, Buffer.from(`${lines.join('\n')}\n`), { temporary: `${path}.new` })

const timeOf = (line: string): number => Date.parse(line.split(' ')[1] ?? '')
