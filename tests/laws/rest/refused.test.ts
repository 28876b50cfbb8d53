/**
 * A refused request changes nothing (interface §4.6; extensions §13): whatever is asked of a
 * discussion, by whomever, in whichever state of the document, where the answer is a refusal every
 * record of the store is as it was: no revision, no comment, no notice, no entry of an inbox.
 * SEED=n repeats another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance, seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { startService, type TestService } from '../../unit/rest/service.ts'
import { until } from '../../waiting.ts'

type Fields = Record<string, unknown>

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const requests = process.env['LONG'] === undefined ? 220 : 4_000
const unknownId = '00000000-0000-4000-8000-000000000000'

/** Notes of when a secret was used are no part of what anybody wrote. */
const isKept = (key: string): boolean => !/^use\//.test(key)

async function stored({ store }: TestService): Promise<Map<string, string>> {
  const records = new Map<string, string>()
  for await (const { key, value } of store.scan({})) {
    if (isKept(key)) records.set(key, Buffer.from(value).toString('base64'))
  }
  return records
}

/** With everything delivered that is to be heard of. */
const delivered = ({ store }: TestService) =>
  until(
    10_000,
    async () => {
      for await (const _ of store.scan({ gte: 'outbox/', lt: 'outbox0', limit: 1 }))
        return undefined
      return true
    },
    () => 'the outbox is not empty',
  )

class Scene {
  readonly #service: TestService
  readonly #chance: Chance
  readonly slug: string
  readonly #callers: readonly (string | undefined)[]
  readonly #owner: string
  #comments: readonly string[] = []
  #threads: readonly string[] = []
  #blocks: readonly string[] = []
  #revision = 1

  private constructor(parts: {
    readonly service: TestService
    readonly chance: Chance
    readonly slug: string
    readonly callers: readonly (string | undefined)[]
  }) {
    const { service, chance, slug, callers } = parts
    this.#service = service
    this.#chance = chance
    this.slug = slug
    this.#callers = callers
    this.#owner = String(callers[0])
  }

  static async on(service: TestService, chance: Chance): Promise<Scene> {
    const markdown = '# Plan\n\nWe ship on **Monday** at noon.\n\n- one\n- two\n\nThe end.\n'
    const { slug, token, shareToken } = await service.create(markdown, 'Maker')
    const agents: string[] = []
    for (const [handle, role] of [
      ['reviewer', 'commenter'],
      ['stranger', undefined],
    ] as const) {
      const made = await service.call('POST', '/agents/register', {
        body: { name: handle, handle },
      })
      agents.push(String(made.json['agent_secret']))
      const body = { handle, role }
      if (role) await service.call('POST', `/docs/${slug}/access`, { token, body })
    }
    const callers = [token, ...agents, shareToken, undefined]
    return new Scene({ service, chance, slug, callers })
  }

  /** Something to talk of further. */
  async begin(quote: string): Promise<void> {
    const body = { quote, text: 'Hm.' }
    const path = `/docs/${this.slug}/comments`
    const made = await this.#service.call('POST', path, { token: this.#owner, body })
    assert.is(made.status, 201, made.text)
    await this.#look()
  }

  /** Somebody asks for something; whether it was refused. */
  async ask(): Promise<{
    readonly status: number
    readonly request: Request
    readonly json: Fields
  }> {
    const request = this.#request()
    const token = this.#chance.happens(0.7) ? this.#owner : this.#chance.oneOf(this.#callers)
    const { method, path, body } = request
    const call = { token, ...(body !== undefined && { body }) }
    const { status, json } = await this.#service.call(method, path, call)
    if (status < 300) await this.#look()
    return { status, request, json }
  }

  async #look(): Promise<void> {
    const path = `/docs/${this.slug}?resolved=all`
    const { json, status } = await this.#service.call('GET', path, { token: this.#owner })
    if (status !== 200) return
    const threads = json['threads'] as { id: string; comments: { id: string }[] }[]
    const blocks = (json['content_blocks'] as { id: string | null }[]).flatMap(({ id }) => id ?? [])
    this.#revision = Number(json['revision'])
    this.#threads = threads.map(({ id }) => id)
    this.#comments = threads.flatMap((one) => one.comments.map(({ id }) => id))
    this.#blocks = blocks
  }

  /** One that is there, most of the time. */
  #named(known: readonly string[], wrong: readonly string[]): string {
    const isWrong = known.length === 0 || this.#chance.happens(0.15)
    return this.#chance.oneOf(isWrong ? wrong : known)
  }

  get #comment(): string {
    return this.#named(this.#comments, [unknownId, 'x'])
  }

  get #thread(): string {
    return this.#named(this.#threads, ['thr_none', 'x'])
  }

  get #block(): string {
    return this.#named(this.#blocks, ['bid_0000000000000000', 'blk_1', 'blk_99', 'x'])
  }

  #request(): Request {
    const chance = this.#chance
    const [at, comment, thread] = [`/docs/${this.slug}`, this.#comment, this.#thread]
    const text = chance.oneOf(['Hm.', 'Well.', '@reviewer look', ' ', 7])
    const post = (path: string, body?: unknown) => ({ method: 'POST', path: at + path, body })
    const makers: readonly (() => Request)[] = [
      () => post('/comments', this.#body()),
      () => post('/comments', this.#body()),
      () => post('/comments', this.#body()),
      () => post(`/comments/${comment}/resolve`, { text }),
      () => post(`/threads/${thread}/resolve`, { text }),
      () => post(`/threads/${thread}/unresolve`),
      () => post(`/comments/${comment}/accept`),
      () => post(`/comments/${comment}/reject`),
      () => post(`/comments/${comment}/sentiments`, { sentiment: chance.oneOf(['curious', 'x']) }),
      () => post(`/comments/${comment}/plusones`),
      () => ({ method: 'PATCH', path: `${at}/comments/${comment}`, body: { text } }),
      () => ({ method: 'DELETE', path: `${at}/comments/${comment}` }),
      () => ({ method: 'DELETE', path: `${at}/comments/${comment}/plusones/ai:x` }),
      () => ({ method: 'PATCH', path: at, body: this.#edit() }),
      () => ({ method: 'PATCH', path: at, body: this.#edit() }),
      () => post('/revert', { revision: chance.between(1, 3), base_revision: this.#revision }),
      () => ({ method: 'PUT', path: `${at}/threads/${thread}/mute`, body: { muted: true } }),
    ]
    return chance.oneOf(makers)()
  }

  /** One target and what goes with it; other fields now and then, as they should be or not. */
  #body(): Fields {
    const chance = this.#chance
    const target = chance.oneOf<Fields>([
      { quote: chance.oneOf(['noon', '**Monday**', 'one', 'gone', 'n', 'noon.\n\n- one']) },
      { block_id: this.#block },
      { general: true },
      { reply_to: this.#comment },
      { thread_id: this.#thread },
    ])
    const isSuggestion = chance.happens(0.3)
    const said = isSuggestion
      ? { suggestion: { new_string: chance.oneOf(['nine', '', '<b>x</b>']) } }
      : { text: chance.oneOf(['Hm.', 'Well.', '@reviewer look', ' ', 'x'.repeat(17_000), 3]) }
    const expected = isSuggestion && { expected_revision: chance.oneOf([this.#revision, 1, 999]) }
    const others: readonly (readonly [string, readonly unknown[]])[] = [
      ['quote', ['noon']],
      ['block_id', [this.#block]],
      ['reply_to', [this.#comment]],
      ['thread_id', [this.#thread]],
      ['kind', ['resolution', 'x']],
      ['notify', [{ kind: 'done', line: 'Plan — done' }, { kind: 'done', line: 'x' }, 'x']],
      ['mentions', [['reviewer'], ['stranger'], ['nobody-there'], 'reviewer']],
      ['by', ['me']],
    ]
    const more = others.filter(() => chance.happens(0.08))
    return {
      ...target,
      ...said,
      ...expected,
      ...Object.fromEntries(more.map(([name, values]) => [name, chance.oneOf(values)])),
    }
  }

  #edit(): Fields {
    const chance = this.#chance
    const edit = chance.oneOf([
      { edits: [{ old_string: 'noon', new_string: 'nine' }] },
      { edits: [{ old_string: 'nine', new_string: 'noon' }] },
      { edits: [{ old_string: 'The end.', new_string: 'Over.' }] },
      { edits: [{ delete_block: this.#block }], base_revision: this.#revision },
      { replace_document: '# Plan\n\nAll is new.\n', base_revision: this.#revision },
    ])
    if (chance.happens(0.6)) return edit
    const outcome = {
      id: this.#comment,
      action: chance.oneOf(['keep', 'remove', 'remap', 'x']),
      ...(chance.happens(0.4) && { new_block_idx: chance.oneOf([0, 1, 99]) }),
      ...(chance.happens(0.3) && { new_block_quote: chance.oneOf(['Plan', 'nowhere', 'n']) }),
    }
    return { ...edit, comment_outcomes: [outcome] }
  }
}

for (const seed of seedsOf(1, 2)) {
  test(`seed ${seed}: what is refused leaves no trace`, async () => {
    const service = await startService()
    const chance = new Chance(seed)
    const tally = new Tally()
    try {
      const scene = await Scene.on(service, chance)
      for (const quote of ['noon', 'one', 'The end.']) await scene.begin(quote)
      await delivered(service)
      let before = await stored(service)
      for (let n = 0; n < requests; n++) {
        const { status, request, json } = await scene.ask()
        assert.ok(status < 500, `${JSON.stringify(request)} ${JSON.stringify(json)}`)
        tally.add(status < 300 ? 'done' : `${status} ${json['code']}`)
        if (status < 300) {
          await delivered(service)
          before = await stored(service)
          continue
        }
        tally.add('refused')
        const after = await stored(service)
        const told = `${status} ${json['code']}: ${JSON.stringify(request).slice(0, 300)}`
        assert.equal(
          [...after.keys()].filter((key) => before.get(key) !== after.get(key)),
          [],
          told,
        )
        assert.is(after.size, before.size, told)
      }
    } finally {
      await service.close()
    }
    const least = { done: requests / 15, refused: requests / 3 }
    tally.tell(`${seed} refused`, least)
    assert.ok(tally.kinds > 20, `${tally.kinds} kinds of answers`)
  })
}

test.run()
