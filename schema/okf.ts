/**
 * Open Knowledge Format 0.1 (interface §4.4, §2.2 `manifest`): a document and its facts as one
 * concept file. The document's own front matter is untrusted YAML: bounded, and when it is not a
 * plain map it stays in the body as it is. Nothing made here is ever written back.
 */
import { parseDocument, stringify } from 'yaml'
import type { Json } from './json.ts'
import { frontMatterIn } from './markdown/front-matter.ts'

const frontMatterMaxValues = 10_000

/** Indicators of YAML, in words too. */
const frontMatterMaxSigns = 2_000

const frontMatterMaxLines = 1_000

const frontMatterMaxDepth = 100

const frontMatterMaxAliases = 32

export interface OkfFacts {
  readonly slug: string
  readonly title: string
  readonly revision: number
  readonly contentHash: string
  readonly liveEtag: string
  readonly liveUrl: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** The `manifest` of a read. */
export interface Manifest {
  readonly type?: string
  readonly title: string
  readonly description: string | null
  readonly resource: string | null
  readonly tags: string[]
  readonly timestamp: string
  readonly extensions: Record<string, unknown>
}

const wellKnown = ['type', 'title', 'description', 'resource', 'tags', 'timestamp']
const identityKey = 'x-service'

type Entries = ReadonlyMap<string, Json>

/** The front matter of a document, read. */
export interface FrontMatter {
  readonly entries: Entries
  /** The YAML as it is written; empty where there is none. */
  readonly source: string
  /** With its fences, in UTF-16 units of the markdown; 0: there is none. */
  readonly length: number
}

const none: FrontMatter = { entries: new Map(), source: '', length: 0 }

/** Front matter that cannot be read counts as body. */
export function readFrontMatter(markdown: string): FrontMatter {
  const block = frontMatterIn(markdown)
  const entries = block && parsedEntries(block.source)
  return block === undefined || entries === undefined ? none : { ...block, entries }
}

/**
 * Whether the YAML has no more lines and signs, and no deeper nesting, than may be read. The reader
 * takes the square of keys, aliases and errors, makes an error object with a stack for each of
 * them, and recurses, where V8 ends the process when it compiles a pattern at the end of its stack.
 */
function isModest(source: string): boolean {
  const lines = source.split('\n')
  if (lines.length > frontMatterMaxLines) return false
  let [depth, signs] = [0, 0]
  for (const line of lines) {
    // Signs ahead of a line's words nest as blanks do: `- - - a`.
    const lead = /^[ \t?:-]*/.exec(line)?.[0] ?? ''
    if (lead.length > frontMatterMaxDepth) return false
    signs += lead.replace(/[ \t]+/g, '').length
    for (const [sign] of line.matchAll(/[[\]{},&*!|>'"%@`]|[:?](?=\s|$)/g)) {
      if (sign === '[' || sign === '{') depth += 1
      else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1)
      // Commas of a sentence separate nothing.
      if (sign !== ',' || depth > 0) signs += 1
      if (depth > frontMatterMaxDepth || signs > frontMatterMaxSigns) return false
    }
  }
  return true
}

function parsedEntries(source: string): Entries | undefined {
  if (!isModest(source)) return undefined
  try {
    const document = parseDocument(source, {
      uniqueKeys: true,
      logLevel: 'silent',
      prettyErrors: false,
    })
    if (document.errors.length > 0) return undefined
    const value: unknown = document.toJS({
      maxAliasCount: frontMatterMaxAliases,
      mapAsMap: true,
    })
    if (!(value instanceof Map)) return undefined
    const budget = { left: frontMatterMaxValues }
    const entries = new Map<string, Json>()
    for (const [key, entry] of value) entries.set(String(key), plain(entry, budget))
    return entries
  } catch {
    return undefined
  }
}

/** The value as JSON has it. Throws RangeError over the budget, which aliases could blow up. */
function plain(value: unknown, budget: { left: number }): Json {
  budget.left -= 1
  if (budget.left < 0) throw new RangeError('the front matter holds too many values')
  if (value instanceof Map) {
    const pairs = [...value].map(([key, entry]) => [String(key), plain(entry, budget)] as const)
    return Object.fromEntries(pairs)
  }
  if (Array.isArray(value)) return value.map((entry) => plain(entry, budget))
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  return String(value)
}

/** A value as the text it stands for; `undefined`: it is no scalar, or empty. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function tagList(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.map(scalarText).filter((tag) => tag !== undefined)
}

/** The `manifest` object of `include=manifest`; `type` is absent when the document has none. */
export function manifestOf(
  { entries }: FrontMatter,
  facts: Pick<OkfFacts, 'title' | 'changedAt'>,
): Manifest {
  const type = scalarText(entries.get('type'))
  const others = [...entries].filter(([key]) => !wellKnown.includes(key) && key !== identityKey)
  return {
    ...(type !== undefined && { type }),
    title: scalarText(entries.get('title')) ?? facts.title,
    description: scalarText(entries.get('description')) ?? null,
    resource: scalarText(entries.get('resource')) ?? null,
    tags: tagList(entries.get('tags')),
    timestamp: scalarText(entries.get('timestamp')) ?? new Date(facts.changedAt).toISOString(),
    extensions: Object.fromEntries(others),
  }
}

/**
 * The concept file: front matter, then the body. What the document's own front matter says stays as
 * it is written: numbers, quotes, comments. What it leaves out is added: `type` before it, which is
 * `Reference` where the document has none, `title` behind the type, `timestamp` and the identity at
 * the end. Strings that any common YAML version reads as another type are quoted.
 */
export function okfFile(markdown: string, front: FrontMatter, facts: OkfFacts): string {
  const { entries, source, length } = front
  const { type = 'Reference', title, timestamp } = manifestOf(front, facts)
  const body = length === 0 ? markdown : markdown.slice(length).replace(/^\n+/, '')
  const isUnsaid = ([key]: readonly [string, unknown]) => scalarText(entries.get(key)) === undefined
  // A title is never ahead of a type.
  const isTypeAdded = isUnsaid(['type', type])
  const before = isTypeAdded ? Object.entries({ type, title }).filter(isUnsaid) : []
  const identity = {
    slug: facts.slug,
    revision: facts.revision,
    content_hash: facts.contentHash,
    live_etag: facts.liveEtag,
    live_url: facts.liveUrl,
  }
  const behind = [
    ...Object.entries(isTypeAdded ? { timestamp } : { title, timestamp }).filter(isUnsaid),
    [identityKey, identity] as const,
  ]
  const replaced = [...before, ...behind].map(([key]) => key).filter((key) => entries.has(key))
  const others = [...entries].filter(([key]) => !replaced.includes(key))
  const own = withoutKeys(source, replaced) ?? written(others)
  const gap = own === '' || own.endsWith('\n') ? '' : '\n'
  return `---\n${written(before)}${own}${gap}${written(behind)}---\n\n${body}`
}

const written = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.length === 0
    ? ''
    : stringify(new Map(entries), {
        compat: 'yaml-1.1',
        lineWidth: 0,
        aliasDuplicateObjects: false,
      })

/** A key at the start of its line. */
const keyLine = /^(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s"':][^:]*)):(?:\s|$)/

/**
 * The YAML without these keys, all else byte for byte; `undefined`: it is not a block map that
 * begins each of its keys at the start of a line, so that lines cannot be taken out or added.
 */
function withoutKeys(source: string, keys: readonly string[]): string | undefined {
  const lines = source.split('\n')
  const first = lines.find((line) => line.trim() !== '' && !/^\s*#/.test(line)) ?? ''
  if (first !== '' && /^[\s{[?|>&*!-]/.test(first)) return undefined
  const kept: string[] = []
  const gone = new Set<string>()
  let isKept = true
  for (const line of lines) {
    // What belongs to a value is set in, or an item of a list.
    if (/^[^\s#-]/.test(line)) {
      const [, double, single, bare] = keyLine.exec(line) ?? []
      const name = double ?? single ?? bare?.trimEnd() ?? ''
      isKept = !keys.includes(name)
      if (!isKept) gone.add(name)
    }
    if (isKept) kept.push(line)
  }
  return gone.size === keys.length ? kept.join('\n') : undefined
}
