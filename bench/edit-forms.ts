/**
 * Every form of edit (interface §4.5) on documents of several sizes, without HTTP: how long a caller
 * waits and how long one edit keeps the event loop. Started by documents.ts; answers once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHistoryRow } from '../core/commit/history-row.ts'
import type { Documents, DocumentView, PatchRequest, Writer } from '../core/documents/contract.ts'
import { openDocuments } from '../core/documents/front/documents.ts'
import { openLevelStore } from '../persistence/index.ts'
import { docHistory } from '../persistence/keys.ts'
import type { Store, StoredValue } from '../persistence/store.ts'
import { type ActorId, newSlug, type Slug } from '../schema/ids.ts'
import { systemRuntime as runtime } from '../server/runtime.ts'
import { quantile } from './stats.ts'
import { documentOf, sizes } from './text.ts'

export interface FormNumbers {
  readonly form: string
  readonly size: string
  readonly p50: number
  readonly p99: number
  /** Processor time of all threads, median. */
  readonly cpu: number
  /** Longest time that nothing else could run, median of the edits. */
  readonly hold: number
  /** Characters that the history row of an edit says were taken out or put in, on average. */
  readonly written: number
}

const writer: Writer = { actor: 'ai:bench' as ActorId, authMethod: 'token' }
const other: Writer = { actor: 'ai:other' as ActorId, authMethod: 'token' }

type Asked = Pick<PatchRequest, 'edits' | 'baseRevision' | 'dryRun'>

/** What an edit is made of: the text as it was read, and which turn it is. */
interface Turn {
  readonly at: number
  readonly blocks: number
  readonly read: DocumentView
  /** A word that stands once. */
  word(of?: number): string
  /** The id of some paragraph. */
  block(of?: number): string
}

const on = (turn: Turn, ...edits: Asked['edits']): Asked => ({
  edits,
  baseRevision: turn.read.revision,
  dryRun: false,
})

const replaced = (turn: Turn, of = 0) => ({
  old_string: turn.word(of),
  new_string: `${turn.word(of).slice(0, -1)}v${turn.at}.`,
})

const text = (turn: Turn): string => `A paragraph that came at ${turn.at}.`
/** The smallest document has fewer words that stand once. */
const batch = (turn: Turn) =>
  Array.from({ length: Math.min(100, turn.blocks / 2) }, (_, of) => replaced(turn, of))
const everyWord = ({ read, at }: Turn): string =>
  read.markdown.replace(/[a-z]{3,}/g, (word) => `${word.replace(/q.*/, '')}q${'xyz'[at % 3]}`)

/** `isStale`: somebody else writes elsewhere between the read and the edit. */
interface Form {
  readonly ask: (turn: Turn) => Asked
  readonly isStale?: boolean
  readonly repeats?: number
}

const forms: Readonly<Record<string, Form>> = {
  'replace a word': { ask: (turn) => on(turn, replaced(turn)) },
  'replace, with at': {
    ask: (turn) => on(turn, { ...replaced(turn), at: turn.read.markdown.indexOf(turn.word()) }),
  },
  'insert after text': { ask: (turn) => on(turn, { after: turn.word(), new_string: ' more' }) },
  'insert before text': { ask: (turn) => on(turn, { before: turn.word(), new_string: 'more ' }) },
  'insert between two texts': {
    ask: (turn) => {
      const { markdown } = turn.read
      const before = markdown.slice(markdown.indexOf(turn.word()) + turn.word().length).slice(0, 40)
      return on(turn, { after: turn.word(), before, new_string: ' more' })
    },
  },
  append: { ask: (turn) => on(turn, { before: null, new_string: `\n\n${text(turn)}` }) },
  prepend: { ask: (turn) => on(turn, { after: null, new_string: `${text(turn)}\n\n` }) },
  'insert a block': {
    ask: (turn) => on(turn, { after_block: turn.block(), new_string: text(turn) }),
  },
  'delete a block': { ask: (turn) => on(turn, { delete_block: turn.block() }) },
  'move a block': {
    ask: (turn) => on(turn, { move_block: turn.block(), after_block: turn.block(3) }),
  },
  'stale: replace': { ask: (turn) => on(turn, replaced(turn)), isStale: true },
  'stale: insert after text': {
    ask: (turn) => on(turn, { after: turn.word(), new_string: ' more' }),
    isStale: true,
  },
  'stale: append': {
    ask: (turn) => on(turn, { before: null, new_string: `\n\n${text(turn)}` }),
    isStale: true,
  },
  'stale: insert a block': {
    ask: (turn) => on(turn, { after_block: turn.block(), new_string: text(turn) }),
    isStale: true,
  },
  'dry run of a word': { ask: (turn) => ({ ...on(turn, replaced(turn)), dryRun: true }) },
  'batch of 100': { ask: (turn) => on(turn, ...batch(turn)), repeats: 10 },
  'stale: batch of 100': { ask: (turn) => on(turn, ...batch(turn)), isStale: true, repeats: 10 },
  'replace_document, one word': {
    ask: (turn) => {
      const { old_string: old, new_string: now } = replaced(turn)
      return on(turn, { replace_document: turn.read.markdown.replace(old, now) })
    },
    repeats: 10,
  },
  'replace_document, every word': {
    ask: (turn) => on(turn, { replace_document: everyWord(turn) }),
    repeats: 3,
  },
}

let longest = 0
let last = performance.now()
let lastCpu = process.cpuUsage()
setInterval(() => {
  const now = performance.now()
  const { user, system } = process.cpuUsage(lastCpu)
  longest = Math.max(longest, Math.min(now - last, (user + system) / 1000))
  last = now
  lastCpu = process.cpuUsage()
}, 1).unref()

/** A hold is only counted when the timer has run after it. */
async function holdSince(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  const held = longest
  longest = 0
  return held
}

function turnOf(read: DocumentView, at: number, blocks: number): Turn {
  // The words and ids of paragraphs, spread over the document.
  const words = read.markdown.match(/\bword\d+[v\d]*\./g) ?? []
  const isParagraph = (from: number) => /[a-z]/.test(read.markdown.charAt(from))
  const ids = read
    .contentBlocks()
    .flatMap(({ id, range }) => (id !== null && isParagraph(range.from) ? [id] : []))
  const nth = <T>(all: readonly T[], of: number): T => all[(at * 977 + of) % all.length] as T
  return { at, blocks, read, word: (of = 0) => nth(words, of), block: (of = 0) => nth(ids, of) }
}

function charsIn(row: StoredValue | undefined): number {
  if (row === undefined) return 0
  const { splices } = decodeHistoryRow(row.value)
  return splices.reduce((sum, { remove, insert }) => sum + remove + insert.length, 0)
}

async function measure(
  { documents, store }: { readonly documents: Documents; readonly store: Store },
  slug: Slug,
  {
    form,
    repeats,
    blocks,
  }: { readonly form: Form; readonly repeats: number; readonly blocks: number },
): Promise<Omit<FormNumbers, 'form' | 'size'>> {
  const taken: number[] = []
  const holds: number[] = []
  const cpus: number[] = []
  let written = 0
  for (let at = -2; at < (form.repeats ?? repeats); at++) {
    const read = await documents.read(slug, { markdown: true, contentBlocks: true })
    const turn = turnOf(read, at + 3, blocks)
    const asked = form.ask(turn)
    if (form.isStale) {
      const [line = ''] = read.markdown.split('\n', 1)
      const edits = [{ old_string: line, new_string: `## Heading 0 v${turn.at}` }]
      await documents.patch(slug, { edits, dryRun: false, writer: other })
    }
    await holdSince()
    const begun = performance.now()
    const cpu = process.cpuUsage()
    const { revision } = await documents.patch(slug, { ...asked, writer })
    taken.push(performance.now() - begun)
    const { user, system } = process.cpuUsage(cpu)
    cpus.push((user + system) / 1000)
    holds.push(await holdSince())
    written += charsIn(await store.get(docHistory(slug, revision)))
    if (at < 0) [taken.length, holds.length, cpus.length, written] = [0, 0, 0, 0]
  }
  const [p50, p99] = [quantile(taken, 0.5), quantile(taken, 0.99)]
  const [cpu, hold] = [quantile(cpus, 0.5), quantile(holds, 0.5)]
  return { p50, p99, cpu, hold, written: written / taken.length }
}

async function all(repeats: number): Promise<FormNumbers[]> {
  const directory = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'))
  const store = await openLevelStore({ directory, runtime })
  const onTrouble = ({ error }: { error: unknown }) => {
    throw error
  }
  const documents = openDocuments({ store, runtime, onTrouble })
  const numbers: FormNumbers[] = []
  for (const { name: size, blocks } of sizes) {
    for (const [name, form] of Object.entries(forms)) {
      const slug = newSlug(runtime)
      const linkAccess = { mode: 'anyone', role: 'editor' } as const
      const markdown = documentOf(blocks)
      await documents.create({ markdown, linkAccess, slug, writer: other, puts: [], replay: {} })
      const measured = await measure({ documents, store }, slug, { form, repeats, blocks })
      numbers.push({ form: name, size, ...measured })
    }
  }
  await documents.close()
  await store.close()
  await rm(directory, { recursive: true, force: true })
  return numbers
}

const [repeats = '20'] = process.argv.slice(2)
const numbers = await all(Number(repeats))
if (process.send) process.send(numbers)
else for (const one of numbers) console.log(JSON.stringify(one))
process.disconnect?.()
