/**
 * Mixed load on a running service, and what it owes for it: creates and edits with and without
 * idempotency keys, live typing. Every write brings a word of its own, so what is owed can be read
 * off the text: an acknowledged word stands there once, any other at most once.
 */
import { isDeepStrictEqual } from 'node:util'
import * as assert from 'uvu/assert'
import { type Answer, asText, type Fields, type Made, type Service } from '../client.ts'
import { pause } from '../waiting.ts'
import { Typist } from './typist.ts'

interface Request {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly token: string
  readonly body: Fields
  readonly key: string | undefined
  readonly word: string
  answer: Answer | undefined
}

/** A document under load: the words of edits follow `edits`, those of typists `typed`. */
export interface Ground {
  readonly made: Made
  /** The token of somebody else, who edits. */
  readonly editor: string
}

export async function groundOn(service: Service): Promise<Ground> {
  const made = await service.document('# Ground\n\nedits\n\ntyped\n')
  const headers = { 'X-Service-Share-Ingress': '1' }
  const read = await service.get(`${made.path}?docs`, made.shareToken, headers)
  const editor = asText(read.body['your_token'])
  const name = { display_name: 'Editor', slug: made.slug }
  const named = await service.post('/agents/identify', name, { token: editor })
  assert.is(named.status, 200, named.text)
  return { made, editor }
}

export class Load {
  readonly #service: Service
  readonly #grounds: readonly Ground[]
  readonly #prefix: string
  readonly #goesOn: boolean
  readonly requests: Request[] = []
  readonly typists: { readonly slug: string; readonly typist: Typist }[] = []
  #words = 0
  #isOver = false
  #work: Promise<unknown> = Promise.resolve()

  /**
   * `prefix`: two loads on the same documents use different words. `goesOn`: also where a request
   * gets no answer.
   */
  constructor(service: Service, grounds: readonly Ground[], prefix: string, goesOn = false) {
    this.#goesOn = goesOn
    this.#service = service
    this.#grounds = grounds
    this.#prefix = prefix
  }

  get acknowledged(): number {
    const saved = this.typists.reduce((sum, { typist }) => sum + typist.saved.length, 0)
    return this.requests.filter(({ answer }) => answer !== undefined).length + saved
  }

  /** How many words were begun so far; the next has this number in it. */
  get begun(): number {
    return this.#words
  }

  start(): void {
    const editors = this.#grounds.flatMap((ground) => [this.#edit(ground), this.#edit(ground)])
    const typing = this.#grounds.map(async ({ made }) => {
      const typist = new Typist(this.#service, made.slug, made.token)
      this.typists.push({ slug: made.slug, typist })
      await typist.type('typed', () => this.#word()).catch(() => undefined)
    })
    this.#work = Promise.all([...editors, ...typing, this.#create()])
  }

  /** Begins no more writes and waits for those under way; sockets stay. */
  async finish(): Promise<void> {
    this.#isOver = true
    for (const { typist } of this.typists) typist.rest()
    await this.#work
  }

  /** The same when the service is gone or about to go: nobody reconnects. */
  async abandon(): Promise<void> {
    this.#isOver = true
    for (const { typist } of this.typists) typist.stop()
    await this.#work
  }

  #word(): string {
    return `${this.#prefix}n${this.#words++}e`
  }

  async #edit({ made, editor }: Ground): Promise<void> {
    while (!this.#isOver) {
      const word = this.#word()
      const edits = [{ old_string: 'edits', new_string: `edits ${word}` }]
      const key = this.#words % 2 === 0 ? `key-${word}` : undefined
      const { path } = made
      if (
        !(await this.#send({ method: 'PATCH', path, token: editor, body: { edits }, key, word }))
      ) {
        return
      }
    }
  }

  async #create(): Promise<void> {
    while (!this.#isOver) {
      const word = this.#word()
      const body = { markdown: `created ${word}\n` }
      // A token says whose key it is; without one that would be the visitor's, by cookie.
      const token = this.#grounds[0]?.made.token ?? ''
      const key = `key-${word}`
      if (!(await this.#send({ method: 'POST', path: '/docs', token, body, key, word }))) return
    }
  }

  /** False when the service does not answer any more. */
  async #send(request: Omit<Request, 'answer'>): Promise<boolean> {
    const noted: Request = { ...request, answer: undefined }
    this.requests.push(noted)
    const answer = await this.ask(noted).catch(() => undefined)
    if (answer === undefined || answer.status === 503) {
      await pause(20)
      return this.#goesOn
    }
    assert.ok(answer.status < 300, `${request.method} ${answer.text}`)
    noted.answer = answer
    return true
  }

  ask({ method, path, token, body, key }: Omit<Request, 'answer'>, on = this.#service) {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    return on.ask(method, path, { body, headers, token })
  }

  /** What is owed so far: words that were acknowledged, by document. */
  owed(): Map<string, Set<string>> {
    const owed = new Map<string, Set<string>>()
    const add = (path: string, word: string) => {
      owed.set(path, (owed.get(path) ?? new Set()).add(word))
    }
    for (const { method, path, word, answer } of this.requests) {
      if (answer === undefined) continue
      add(method === 'PATCH' ? path : `/docs/${asText(answer.body['id'])}`, word)
    }
    for (const { slug, typist } of this.typists) {
      for (const word of typist.saved) add(`/docs/${slug}`, word)
    }
    return owed
  }

  tokenFor(path: string): string {
    const ground = this.#grounds.find(({ made }) => made.path === path)
    if (ground !== undefined) return ground.made.token
    const made = this.requests.find(({ answer }) => `/docs/${answer?.body['id']}` === path)
    return asText(made?.answer?.body['access_token'])
  }

  /** Every owed word stands once, every other at most once. */
  async assertKept(owed = this.owed(), on = this.#service): Promise<void> {
    const paths = new Set([...owed.keys(), ...this.#grounds.map(({ made }) => made.path)])
    for (const path of paths) {
      const read = await on.get(path, this.tokenFor(path))
      assert.is(read.status, 200, `${path} ${read.text}`)
      const words = asText(read.body['markdown']).split(/\s+/)
      const standing = new Set(words)
      for (const word of owed.get(path) ?? []) assert.ok(standing.has(word), `${word} is lost`)
      const own = words.filter((word) => word.startsWith(`${this.#prefix}n`))
      assert.is(new Set(own).size, own.length, `twice in ${path}: ${own}`)
    }
  }

  /** A key answers as the first time; one that got no answer is tried again, and then it counts. */
  async assertReplays(): Promise<void> {
    for (const request of this.requests) {
      if (request.key === undefined) continue
      const again = await this.ask(request)
      assert.ok(again.status < 300, `${request.word} ${again.text}`)
      const first = request.answer
      if (first === undefined) request.answer = again
      else if (!isDeepStrictEqual(again.body, first.body)) assert.equal(again.body, first.body)
    }
    await this.assertKept()
  }
}
