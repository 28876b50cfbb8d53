/** Markdown files that somebody wrote elsewhere, and what creating a document of them makes. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../schema/errors.ts'
import { DocumentText } from '../schema/markdown/document-text.ts'
import { parseMarkdown } from '../schema/markdown/parser.ts'
import { repairBlock } from '../schema/markdown/repair.ts'

const fileMaxBytes = 1_000_000

export function* markdownFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* markdownFiles(path)
    else if (entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name)) yield path
  }
}

/** As the service takes a file: line ends, byte order mark and the end of the file aside. */
export function fileText(path: string): string | undefined {
  if (statSync(path).size > fileMaxBytes) return undefined
  const text = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  if (text.includes('\uFFFD') || text.trim() === '') return undefined
  return `${text.replace(/\n+$/, '')}\n`
}

/** Undefined: it is refused. */
export function created(text: string): DocumentText | undefined {
  try {
    return DocumentText.of(parseMarkdown(text).children.map(repairBlock))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Numbers that depend on the seed alone. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}
