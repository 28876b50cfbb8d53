/**
 * One document with its store, edited by random requests; every answer is held against what it
 * promises: a naive reference on strings, what a read gives, what a restarted store gives, what a
 * dry run said before, and which blocks and characters it had no business with.
 */
import * as assert from 'uvu/assert'
import type {
  Documents,
  DocumentView,
  PatchRequest,
  Writer,
} from '../../../../../core/documents/contract.ts'
import { openDocuments } from '../../../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import type { Store } from '../../../../../persistence/store.ts'
import { Refusal } from '../../../../../schema/errors.ts'
import { type ActorId, newSlug, type Slug } from '../../../../../schema/ids.ts'
import type { Limits } from '../../../../../schema/limits.ts'
import { DocumentText } from '../../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { silentFollower } from '../../../../silent-peers.ts'
import { SimulatedRuntime } from '../../../../simulated-runtime.ts'
import { everything, markdownIn } from '../views/whole-view.ts'

export type Item = Readonly<Record<string, unknown>>

export const writers: readonly Writer[] = ['ai:one', 'ai:two', 'human:three'].map((actor) => ({
  actor: actor as ActorId,
  authMethod: 'token',
}))

/** The service's canonical form, by the whole parser and the whole printer. */
export const canonical = (markdown: string): string =>
  DocumentText.of(parseMarkdown(markdown).children).toString()

export interface Answered {
  readonly ok: boolean
  readonly code?: string
  readonly markdown: string
  readonly revision: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** What is read of one revision. */
export interface Read {
  readonly revision: number
  readonly markdown: string
  readonly blocks: readonly {
    readonly id: string | null
    readonly from: number
    readonly to: number
  }[]
  /** The author of each character. */
  readonly authors: readonly string[]
}

export class LawWorld {
  readonly runtime: SimulatedRuntime
  readonly slug: Slug
  readonly store: Store
  readonly #limits: Limits | undefined
  documents: Documents

  private constructor(store: Store, runtime: SimulatedRuntime, limits?: Limits) {
    this.runtime = runtime
    this.#limits = limits
    this.slug = newSlug(runtime)
    this.store = store
    this.documents = this.#open()
  }

  static async of(
    markdown: string,
    runtime = new SimulatedRuntime(),
    limits?: Limits,
  ): Promise<LawWorld> {
    const store = await openMemoryStore({ runtime: new SimulatedRuntime() })
    const made = new LawWorld(store, runtime, limits)
    const { documents, slug } = made
    const linkAccess = { mode: 'anyone', role: 'editor' } as const
    const [writer] = writers as [Writer]
    await documents.create({ markdown, linkAccess, slug, writer, puts: [], replay: null })
    return made
  }

  async restart(): Promise<void> {
    const before = wholeOf(await this.documents.read(this.slug, everything))
    await this.documents.close()
    this.documents = this.#open()
    const stored = wholeOf(await this.documents.read(this.slug, everything))
    assert.is(this.documents.openCount, 0, 'a plain read opens nothing')
    assert.equal(stored, before, 'what is left behind says what was read')
    await this.documents.follow(this.slug, silentFollower)
    const opened = wholeOf(await this.documents.read(this.slug, everything))
    assert.equal(opened, before, 'a restarted store gives what was read')
  }

  async read(): Promise<Read> {
    return readOf(await this.documents.read(this.slug, everything))
  }

  /** Sends the request dry, then in earnest, and holds the two answers against each other. */
  async patch(request: Omit<PatchRequest, 'dryRun'>): Promise<Answered> {
    const before = await this.read()
    const dry = await this.#ask({ ...request, dryRun: true })
    assert.equal(await this.read(), before, 'a dry run changes nothing')
    const made = await this.#ask({ ...request, dryRun: false })
    const context = `${JSON.stringify(request)}\n${before.markdown}`
    assert.equal([made.ok, made.code, made.markdown], [dry.ok, dry.code, dry.markdown], context)
    assert.equal(made.fields, dry.fields, 'a dry run says what the commit says')
    const after = await this.read()
    assert.is(after.markdown, made.markdown, context)
    assert.is(after.revision, made.revision)
    assert.is(canonical(after.markdown), after.markdown, 'what is served is canonical')
    if (!made.ok) assert.equal(after, before, 'a refusal changes nothing')
    else {
      const idsOf = ({ blocks }: Read) => blocks.map(({ id }) => id).join()
      const isChange = before.markdown !== after.markdown || idsOf(before) !== idsOf(after)
      // Of several edits one may undo another: a revision all the same.
      const isCertain = isChange || request.edits.length === 1
      const made = after.revision - before.revision
      assert.ok(made === (isChange ? 1 : 0) || (!isCertain && made === 1), context)
    }
    return made
  }

  async #ask(request: PatchRequest): Promise<Answered> {
    try {
      const outcome = await this.documents.patch(this.slug, request)
      const fields = { ...outcome.fields }
      return { ok: true, revision: outcome.revision, markdown: markdownIn(outcome), fields }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { markdown, revision, ...fields } = error.details
      const text = JSON.stringify([error.code, fields])
      assert.not.match(text, /VERIFICATION|EDIT_APPLY_MISMATCH/, `unreachable: ${text}`)
      const now = await this.read()
      if (error.status !== 400) assert.equal([markdown, revision], [now.markdown, now.revision])
      const { code } = error
      return { ok: false, code, markdown: now.markdown, revision: now.revision, fields }
    }
  }

  #open(): Documents {
    const { store, runtime } = this
    const onTrouble = ({ error }: { error: unknown }) => assert.unreachable(String(error))
    return openDocuments({ store, runtime, limits: this.#limits, onTrouble })
  }
}

/** All that a view tells. */
function wholeOf(view: DocumentView) {
  const { title, facts, changedAt } = view
  const json = (pieces: readonly Uint8Array[]) => JSON.parse(Buffer.concat(pieces).toString())
  const markdownJson = json(view.markdownJson())
  const blocksJson = json(view.contentBlocksJson())
  const authorshipJson = json(view.authorshipJson())
  const authors = view.authors()
  const hashes = [view.contentHash(), view.liveEtag()]
  return {
    ...readOf(view),
    title,
    facts,
    changedAt,
    markdownJson,
    blocksJson,
    authorshipJson,
    authors,
    hashes,
  }
}

function readOf(view: DocumentView): Read {
  const authors: string[] = new Array(view.markdown.length).fill('')
  for (const { from, to, author } of view.authorship()) authors.fill(author, from, to)
  return {
    revision: view.revision,
    markdown: view.markdown,
    blocks: view.contentBlocks().map(({ id, range: { from, to } }) => ({ id, from, to })),
    authors,
  }
}
