/**
 * Interface §4.2, §4.5: a request whose answer was lost is sent again under the same
 * Idempotency-Key. However the line broke, and if the service was killed in between: one effect,
 * one outcome, and another body under that key is a 409.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { allDocSlugs } from '../../persistence/keys.ts'
import { openLevelStore } from '../../persistence/level-store.ts'
import { systemRuntime } from '../../server/runtime.ts'
import { asText, type Made, refused, Service, within } from '../client.ts'
import { Tally } from '../tally.ts'
import { type Cut, sendAndCut, type WireRequest } from './cut-wire.ts'

const long = process.env['LONG'] !== undefined
const requests = long ? 1_000 : 100
const perRound = 25
const seed = 404

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const cutPlace: fc.Arbitrary<Cut> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ where: fc.constant('request'), part: fc.double(unit()) }) },
  { weight: 4, arbitrary: fc.constant({ where: 'before answer' }) },
  { weight: 6, arbitrary: fc.record({ where: fc.constant('in answer'), bytes: fc.nat(6_000) }) },
) as fc.Arbitrary<Cut>

function unit() {
  return { min: 0, max: 0.99, noNaN: true }
}

interface Job {
  readonly request: WireRequest
  /** The same request with something else in it. */
  readonly changed: string
  readonly conflict: string
  readonly success: number
  /** Words that only this request writes. */
  readonly words: string
  /** As of the cut. */
  readonly heard: string
}

interface World {
  readonly made: readonly Made[]
  readonly agentToken: string
}

/** One job in six creates a document; some edits are batches of which a part fails. */
function jobOf({ made, agentToken }: World, index: number): Omit<Job, 'heard'> {
  const words = `word${index}x`
  if (index % 6 === 5) {
    const body = (text: string) => JSON.stringify({ markdown: `# ${text}\n\nMade once.\n` })
    return {
      request: { method: 'POST', path: '/docs', token: agentToken, key: words, body: body(words) },
      changed: body(`${words}y`),
      conflict: 'DOC_SLUG_CONFLICT_UNVERIFIED',
      success: 201,
      words,
    }
  }
  const document = made[index % made.length]
  if (document === undefined) throw new Error('no document')
  const edit = { old_string: 'the end', new_string: `${words}\n\nthe end` }
  const failing = { old_string: 'never was', new_string: 'x' }
  const body = (...edits: readonly object[]) => JSON.stringify({ edits })
  const { path, token } = document
  return {
    request: {
      method: 'PATCH',
      path,
      token,
      key: words,
      body: index % 4 === 0 ? body(edit, failing) : body(edit),
    },
    changed: body({ ...edit, new_string: `${words}y\n\nthe end` }),
    conflict: 'IDEMPOTENCY_KEY_REUSED',
    success: 200,
    words,
  }
}

const again = ({ method, path, token, key }: WireRequest, body: string) =>
  service.ask(method, path, {
    token,
    raw: body,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  })

/** Sent again twice at once, then once more, then with another body. Returns the one outcome. */
async function settle(job: Job): Promise<string> {
  const { request, success, heard, changed, conflict } = job
  const twice = await Promise.all([again(request, request.body), again(request, request.body)])
  const answers = [...twice, await again(request, request.body)]
  const [first] = answers
  for (const { status, text } of answers) {
    assert.is(status, success, text)
    assert.is(text, first?.text)
  }
  assert.ok(first?.text.startsWith(heard), `${heard}\n${first?.text}`)
  refused(await again(request, changed), 409, conflict)
  return first?.text ?? ''
}

/** How often it stands in the text. */
const count = (text: string, words: string): number => text.split(words).length - 1

async function assertOneEffect(world: World, jobs: readonly Job[], outcomes: readonly string[]) {
  const edits = jobs.filter(({ success }) => success === 200)
  for (const made of world.made) {
    const own = edits.filter(({ request }) => request.path === made.path)
    const { body } = await made.read()
    const markdown = asText(body['markdown'])
    for (const { words } of own) assert.is(count(markdown, words), 1, words)
    assert.is(body['revision'], 1 + own.length)
  }
  const creates = jobs.filter(({ success }) => success === 201)
  const ids = outcomes.flatMap((outcome, index) =>
    jobs[index]?.success === 201 ? [asText(JSON.parse(outcome).id)] : [],
  )
  assert.is(new Set(ids).size, creates.length)
  await service.end('SIGTERM')
  const directory = join(service.directory, 'data', 'store')
  const store = await openLevelStore({ directory, runtime: systemRuntime })
  const slugs: string[] = []
  for await (const slug of allDocSlugs(store)) slugs.push(slug)
  await store.close()
  assert.is(slugs.length, world.made.length + creates.length)
  await service.start()
}

test(`${requests} answers cut on the wire and asked for again: one effect, one outcome`, async () => {
  const tally = new Tally()
  const cuts = fc.sample(cutPlace, { seed, numRuns: requests })
  const made: Made[] = []
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    made.push(await service.document(`# ${title}\n\nthe end\n`))
  }
  const agentToken = asText((await service.agent('Retrying'))['agent_secret'])
  const world = { made, agentToken }
  const jobs: Job[] = []
  const outcomes: string[] = []
  for (let from = 0; from < requests; from += perRound) {
    const round = await Promise.all(
      cuts.slice(from, from + perRound).map(async (cut, index) => {
        const job = jobOf(world, from + index)
        return { ...job, heard: await sendAndCut(service.base, job.request, cut) }
      }),
    )
    if ((from / perRound) % 3 === 1) {
      await service.end('SIGKILL')
      await service.start()
      tally.add('kills')
    }
    for (const { heard, success } of round) {
      tally.add(heard === '' ? 'nothing heard' : 'heard in part')
      tally.add(success === 201 ? 'creates' : 'edits')
    }
    outcomes.push(...(await Promise.all(round.map(settle))))
    jobs.push(...round)
  }
  tally.tell(`${seed} cut answers`, {
    'heard in part': requests / 5,
    'nothing heard': requests / 5,
    creates: requests / 10,
    edits: requests / 2,
    kills: 1,
  })
  await assertOneEffect(world, jobs, outcomes)
  const late = jobs.filter((_, index) => index % 10 === 0)
  for (const job of late) {
    assert.is(await settle(job), outcomes[jobs.indexOf(job)], 'the same after a restart')
  }
})

test('one key, many bodies at once: one of them is the request, the others are 409', async () => {
  const made = await service.document('# Race\n\nthe end\n')
  const bodies = Array.from({ length: 12 }, (_, index) => {
    const edits = [{ old_string: 'the end', new_string: `racer${index % 4}x\n\nthe end` }]
    return JSON.stringify({ edits })
  })
  const request = { method: 'PATCH', path: made.path, token: made.token, key: 'race', body: '' }
  const answers = await within(20_000, Promise.all(bodies.map((body) => again(request, body))))
  const winners = answers.filter(({ status }) => status === 200)
  for (const answer of answers) {
    if (answer.status !== 200) refused(answer, 409, 'IDEMPOTENCY_KEY_REUSED')
  }
  assert.is(winners.length, 3)
  assert.is(new Set(winners.map(({ text }) => text)).size, 1)
  assert.is(count(await made.markdown(), 'racer'), 1)
})

test.run()
