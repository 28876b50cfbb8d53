/**
 * The file that keeps a store's quarantine, written before LevelDB opens: LevelDB would compact the
 * evidence away. It only ever grows. The wrong blocks themselves are then blanked in their tables
 * (a compaction copies the records of a block unchecked, or fails for good and with it every later
 * write), and each such table is kept as it was found beside the live one.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, writeFileDurably } from '../durable-file.ts'
import type { KeySpan } from '../quarantine.ts'
import { DamagedFile } from '../store-errors.ts'
import { type BlockHandle, emptyBlock } from './table-file.ts'

export const quarantineName = 'QUARANTINE'

const quarantinePath = (directory: string): string => join(directory, quarantineName)
const digest = (body: string): string => createHash('sha256').update(body).digest('hex')

/** The spans kept so far. Throws `DamagedFile` when the file is not as written. */
export async function readQuarantine(directory: string): Promise<KeySpan[]> {
  const path = quarantinePath(directory)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (text === undefined) return []
  const spans = quarantineIn(text)
  if (spans !== undefined) return spans
  const problem = 'the list of quarantined keys is damaged'
  throw new DamagedFile(path, problem)
}

/** Undefined: the file was changed. */
export function quarantineIn(text: string): KeySpan[] | undefined {
  const [, sum, body = ''] = /^([0-9a-f]{64}) (.*)\n$/s.exec(text) ?? []
  if (sum !== digest(body)) return undefined
  const { spans }: { spans: [string, string][] } = JSON.parse(body)
  return spans.map(([from, to]) => ({ from: fromHex(from), to: fromHex(to) }))
}

/** Durable when it resolves. */
export async function writeQuarantine(directory: string, spans: readonly KeySpan[]) {
  const body = JSON.stringify({ spans: spans.map(({ from, to }) => [toHex(from), toHex(to)]) })
  const path = quarantinePath(directory)
  const bytes = new TextEncoder().encode(`${digest(body)} ${body}\n`)
  await writeFileDurably(path, bytes, { temporary: `${path}.new` })
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const fromHex = (text: string): Uint8Array => Buffer.from(text, 'hex')

/** Call when the spans of these blocks are durable. May be cut short and repeated. */
export async function blankBlocks(path: string, blocks: readonly BlockHandle[]): Promise<void> {
  const copy = `${path}.damaged-at-${blocks[0]?.offset}`
  if (!existsSync(copy)) {
    await writeFileDurably(copy, await readFile(path), { temporary: `${copy}.new` })
  }
  const handle = await open(path, 'r+')
  try {
    for (const block of blocks) await blank(handle, block)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function blank(handle: FileHandle, { offset, size }: BlockHandle): Promise<void> {
  const bytes = emptyBlock(size)
  await handle.write(bytes, 0, bytes.length, offset)
}
