/**
 * An agent that writes over REST: reads, edits what it read, and tries again under the same key
 * when the answer was lost. It keeps every text it was served by revision: a revision never
 * changes.
 */
import * as assert from 'uvu/assert'
import type { Chance } from '../chance.ts'
import { type Alphabet, lettersOf } from './alphabet.ts'
import type { Answer, LawDocument, LawService, Member } from './service.ts'

export interface WriterParts {
  readonly service: LawService
  readonly document: LawDocument
  readonly member: Member
  readonly chance: Chance
  readonly alphabet: Alphabet
  readonly served: Served
}

/** Every text that was served, by revision. */
export class Served {
  readonly texts = new Map<number, string>()

  note(body: Readonly<Record<string, unknown>>): void {
    const revision = Number(body['revision'])
    const markdown = String(body['markdown'])
    const known = this.texts.get(revision)
    assert.ok(known === undefined || known === markdown, `revision ${revision} changed`)
    this.texts.set(revision, markdown)
  }
}

/** A block that an edit can name, and where its text stands. */
export interface ReadBlock {
  readonly id: string
  readonly from: number
  readonly to: number
}

export interface Read {
  readonly markdown: string
  readonly revision: number
  readonly blocks: readonly ReadBlock[]
}

/** As the wire lists them. */
export type ListedBlocks = readonly {
  readonly id: string | null
  readonly range: { readonly from: number; readonly to: number }
}[]

export type Edit = Readonly<Record<string, unknown>>

export class RestWriter {
  readonly member: Member
  /** Answers by status and code. */
  readonly answers = new Map<string, number>()
  /** Words that a 200 promised. */
  readonly promised: string[] = []
  /** Letters that it asked to be replaced, noted before it asked. */
  readonly taken: string[] = []
  readonly #parts: WriterParts
  #etag: string | undefined
  #last: Read | undefined
  #keys = 0

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.member = parts.member
  }

  /** Reads, with the tag of the last read: 304 promises that nothing changed. */
  async read(): Promise<Read> {
    const { service, document, member, served } = this.#parts
    const headers = this.#etag === undefined ? {} : { 'If-None-Match': this.#etag }
    const answer = await service.call('GET', `/docs/${document.slug}`, {
      token: member.token,
      headers,
    })
    if (answer.status === 304 && this.#last !== undefined) {
      this.#count('304')
      return this.#last
    }
    assert.is(answer.status, 200, JSON.stringify(answer.body))
    served.note(answer.body)
    this.#etag = answer.headers.get('etag') ?? undefined
    const read = {
      markdown: String(answer.body['markdown']),
      revision: Number(answer.body['revision']),
      blocks: namedBlocks(answer.body['content_blocks'] as ListedBlocks),
    }
    assert.ok(read.revision >= (this.#last?.revision ?? 0), 'revisions go on')
    this.#last = read
    return read
  }

  /** Puts words into, or in place of, a stretch of letters that stands once. */
  async replace(): Promise<void> {
    const { chance } = this.#parts
    const read = await this.read()
    const count = chance.happens(0.2) ? chance.between(2, 4) : 1
    const edits: { edit: Edit; words: string; gone: string }[] = []
    for (let made = 0; made < count; made++) {
      const old = this.#stretch(read.markdown)
      if (old === undefined) break
      const words = this.#words(chance.between(1, 5))
      const at = chance.between(0, old.length)
      const whole = chance.happens(0.3)
      const text = whole ? words : old.slice(0, at) + words + old.slice(at)
      const gone = whole ? old : ''
      edits.push({ edit: { old_string: old, new_string: text }, words, gone })
    }
    if (edits.length === 0) return
    this.taken.push(...edits.map(({ gone }) => gone))
    const answer = await this.patch({
      edits: edits.map(({ edit }) => edit),
      ...this.#base(read.revision),
    })
    const results = answer.body['edits'] as { ok: boolean }[] | undefined
    for (const [index, { words, gone }] of edits.entries()) {
      const isDone = answer.status === 200 && (results?.[index]?.ok ?? true)
      if (!isDone) this.#parts.alphabet.erase(words)
      else this.promised.push(words)
      if (isDone) this.#parts.alphabet.erase(gone)
    }
  }

  /** A new block behind, or in front of, the one in which some letters end, or start, a line. */
  async insertBlock(): Promise<void> {
    const { chance } = this.#parts
    const { markdown, revision } = await this.read()
    const line = chance.pick(markdown.split('\n').filter((one) => letters.test(one)))
    const old = line?.match(chance.happens(0.5) ? lastLetters : firstLetters)?.[0]
    if (line === undefined || old === undefined) return
    const words = this.#words(chance.between(2, 6))
    const marker = chance.pick(['', '', '# ', '- ', '> ']) ?? ''
    const text = line.endsWith(old) ? `${old}\n\n${marker}${words}` : `${words}\n\n${old}`
    const edits = [{ old_string: old, new_string: text }]
    await this.#insert({ edits, ...this.#base(revision) }, words)
  }

  /** The forms that name a place and not a text. */
  async insertAtPlace(): Promise<void> {
    const { chance } = this.#parts
    const { blocks, markdown, revision } = await this.read()
    const words = this.#words(chance.between(1, 4))
    const anchor = this.#stretch(markdown)
    const forms: Edit[] = [
      { before: null, new_string: `\n\n${words}` },
      { after_block: chance.pick(blocks)?.id ?? null, new_string: words },
      { before_block: chance.pick(blocks)?.id ?? null, new_string: `## ${words}` },
    ]
    if (anchor !== undefined) forms.push({ after: anchor, new_string: words })
    await this.#insert({ edits: [chance.pick(forms) ?? {}], base_revision: revision }, words)
  }

  /** Splits a block, or turns one into an item: words are written again elsewhere. */
  async rewrap(): Promise<void> {
    const { chance } = this.#parts
    const { markdown, revision } = await this.read()
    const old = this.#stretch(markdown)
    if (old === undefined) return
    const middle = chance.between(1, old.length - 1)
    const marker = chance.pick(['', '', '- ', '> ', '## ']) ?? ''
    const text = `${old.slice(0, middle)}\n\n${marker}${old.slice(middle)}`
    await this.patch({ edits: [{ old_string: old, new_string: text }], ...this.#base(revision) })
  }

  async restructure(): Promise<void> {
    const { chance } = this.#parts
    const { blocks, markdown, revision } = await this.read()
    const ids = blocks.map((block) => block.id)
    const [id, target] = [chance.pick(ids), chance.pick(ids)]
    const old = this.#stretch(markdown)
    if (id === undefined || target === undefined || old === undefined) return
    const forms: Edit[] = [
      { move_block: id, after_block: target },
      { move_block: id, before_block: target },
      { move_block: id, after_block: null },
      { old_string: old, new_string: `**${old}**` },
    ]
    if (ids.length > 8) forms.push({ delete_block: id })
    await this.patch({ edits: [chance.pick(forms) ?? {}], base_revision: revision })
  }

  #base(revision: number): Edit {
    return this.#parts.chance.happens(0.5) ? { base_revision: revision } : {}
  }

  async #insert(body: Edit, words: string): Promise<void> {
    const answer = await this.patch(body)
    if (answer.status === 200) this.promised.push(words)
    else this.#parts.alphabet.erase(words)
  }

  /** One request under a key of its own; its answer is one that the contract knows. */
  async patch(body: Edit): Promise<Answer> {
    const { service, document, member, served, alphabet } = this.#parts
    const headers = { 'Idempotency-Key': `${member.actor}-${this.#keys++}` }
    const path = `/docs/${document.slug}`
    const answer = await service.call('PATCH', path, { token: member.token, body, headers })
    const { status } = answer
    alphabet.tell(member.actor, body, status, answer.body['code'], answer.body['revision'])
    this.#count(status === 200 ? '200' : `${status} ${answer.body['code']}`)
    assert.ok([200, 404, 409, 422].includes(status), JSON.stringify(answer.body).slice(0, 500))
    assert.is.not(answer.body['code'], 'EDIT_VERIFICATION_FAILED')
    if (status !== 404) served.note(answer.body)
    return answer
  }

  #words(count: number): string {
    return this.#parts.alphabet.fresh(this.member.actor, count)
  }

  /** Two to six letters that stand side by side. */
  #stretch(markdown: string): string | undefined {
    const { chance } = this.#parts
    for (let tries = 0; tries < 20; tries++) {
      const at = chance.below(markdown.length)
      const found = markdown.slice(at, at + chance.between(2, 6))
      if (found.length >= 2 && lettersOf(found).length === found.length) return found
    }
    return undefined
  }

  #count(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1)
  }
}

export const namedBlocks = (listed: ListedBlocks): ReadBlock[] =>
  listed.flatMap(({ id, range }) => (id === null ? [] : [{ id, ...range }]))

const letters = /[\u4e00-\u9fff]{2}/
const lastLetters = /[\u4e00-\u9fff]{2,4}$/
const firstLetters = /^[\u4e00-\u9fff]{2,4}/
