/**
 * Open Knowledge Format 0.1 (interface §4.4, §2.2 `manifest`): a document and its facts as one
 * concept file. The document's own front matter is untrusted YAML: bounded, and when it is not a
 * plain map it stays in the body as it is. Nothing made here is ever written back.
 */
import { parseDocument, stringify } from 'yaml'
import { limits } from './limits.ts'
import { frontMatterIn } from './markdown/front-matter.ts'

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

type Entries = ReadonlyMap<string, unknown>

/** The document's own front matter and what follows it. Unreadable front matter counts as body. */
export function splitFrontMatter(markdown: string): { entries: Entries; body: string } {
  const none = { entries: new Map<string, unknown>(), body: markdown }
  const block = frontMatterIn(markdown)
  if (block === undefined) return none
  const entries = parsedEntries(block.source)
  if (entries === undefined) return none
  return { entries, body: markdown.slice(block.length).replace(/^\n+/, '') }
}

/**
 * Whether the YAML has no more lines and signs, and no deeper nesting, than may be read. The reader
 * takes the square of keys, aliases and errors, makes an error object with a stack for each of
 * them, and recurses, where V8 ends the process when it compiles a pattern at the end of its stack.
 */
function isModest(source: string): boolean {
  const lines = source.split('\n')
  if (lines.length > limits.frontMatterMaxLines) return false
  let [depth, signs] = [0, 0]
  for (const line of lines) {
    // Signs ahead of a line's words nest as blanks do: `- - - a`.
    const lead = /^[ \t?:-]*/.exec(line)?.[0] ?? ''
    if (lead.length > limits.frontMatterMaxDepth) return false
    signs += lead.replace(/[ \t]+/g, '').length
    for (const [sign] of line.matchAll(/[[\]{},&*!|>'"%@`]|[:?](?=\s|$)/g)) {
      if (sign === '[' || sign === '{') depth += 1
      else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1)
      // Commas of a sentence separate nothing.
      if (sign !== ',' || depth > 0) signs += 1
      if (depth > limits.frontMatterMaxDepth || signs > limits.frontMatterMaxSigns) return false
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
      maxAliasCount: limits.frontMatterMaxAliases,
      mapAsMap: true,
    })
    if (!(value instanceof Map)) return undefined
    const budget = { left: limits.frontMatterMaxValues }
    const entries = new Map<string, unknown>()
    for (const [key, entry] of value) entries.set(String(key), plain(entry, budget))
    return entries
  } catch {
    return undefined
  }
}

/** The value as JSON has it. Throws RangeError over the budget, which aliases could blow up. */
function plain(value: unknown, budget: { left: number }): unknown {
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

function manifestFrom(entries: Entries, facts: Pick<OkfFacts, 'title' | 'changedAt'>): Manifest {
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

/** The `manifest` object of `include=manifest`; `type` is absent when the document has none. */
export function manifestOf(
  markdown: string,
  facts: Pick<OkfFacts, 'title' | 'changedAt'>,
): Manifest {
  return manifestFrom(splitFrontMatter(markdown).entries, facts)
}

/**
 * The concept file: front matter in a fixed order, then the body. `type` becomes `Reference` when
 * the document has none. Strings that any common YAML version reads as another type are quoted.
 */
export function okfFile(markdown: string, facts: OkfFacts): string {
  const { entries, body } = splitFrontMatter(markdown)
  const manifest = manifestFrom(entries, facts)
  const { description, resource, tags, timestamp, extensions } = manifest
  const front: [string, unknown][] = [
    ['type', manifest.type ?? 'Reference'],
    ['title', manifest.title],
    ...(description === null ? [] : [['description', description] as [string, unknown]]),
    ...(resource === null ? [] : [['resource', resource] as [string, unknown]]),
    ...(tags.length === 0 ? [] : [['tags', tags] as [string, unknown]]),
    ['timestamp', timestamp],
    ...Object.entries(extensions),
    [
      identityKey,
      {
        slug: facts.slug,
        revision: facts.revision,
        content_hash: facts.contentHash,
        live_etag: facts.liveEtag,
        live_url: facts.liveUrl,
      },
    ],
  ]
  const yaml = stringify(new Map(front), {
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
  return `---\n${yaml}---\n\n${body}`
}
