/**
 * A thousand deliveries a second to a hundred receivers, one of which never answers: how long an
 * act takes to arrive at the other 99. Then what deliveries cost somebody who types. The receivers
 * are a process of their own, so that their work delays neither the acts nor the keys.
 */
import type { HonestTypist } from './attacks/honest-typist.ts'
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import { BenchService, jsonOf } from './service.ts'
import { digits, ms, quantile, times } from './stats.ts'
import { type Keys, typing } from './uploads.ts'
import type { ReceiversOrder } from './webhook-receivers.ts'

const receiversCount = 100
const pause = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

export async function measureWebhooks(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const service = await BenchService.start({
    env: { WEBHOOK_ALLOW_PRIVATE: '1', RATE_INVITE: '0' },
  })
  const receivers = new Receivers()
  const typists: HonestTypist[] = []
  try {
    const talked = await Talk.begin(service)
    await receivers.join(talked)
    // What runs often is compiled first.
    await talked.speak(100, 10)
    await receivers.latencies(talked.said)
    await measureArrival(report, { service, receivers, talked, seconds: isQuick ? 5 : 20 })

    const quiet = await Talk.begin(service)
    const keys = await typing(service, typists)
    await keys.during(quiet.speak(5, 1))
    const { alone, beside } = await measureKeys(keys, { quiet, talked, rounds: isQuick ? 4 : 8 })
    report.note('key, p99, one comment a second that nobody is sent', ms(alone))
    report.note('… one that a hundred are sent', ms(beside))
    report.below('… which is', beside / alone, { most: 1.3, write: times })
  } finally {
    for (const typist of typists) typist.client.close()
    await receivers.stop()
    await service.stop()
  }
  return {
    title: 'Webhooks',
    how:
      'Ten comments a second in one document, each sent to a hundred agents; arrival is when a ' +
      'receiver has read the whole request, from before the comment was posted. The keys are those ' +
      'of another document, beside one comment a second, in rounds of five seconds that alternate ' +
      'between a comment that nobody is sent and one that a hundred are sent. The service, its ' +
      'receivers and the client are a process each, on one machine.',
    rows: report.rows,
  }
}

interface Arriving {
  readonly service: BenchService
  readonly receivers: Receivers
  readonly talked: Talk
  readonly seconds: number
}

async function measureArrival(
  report: Report,
  { service, receivers, talked, seconds }: Arriving,
): Promise<void> {
  await receivers.forget()
  const saidBefore = talked.said
  const before = await service.process.ask<number>('cpu')
  await talked.speak(seconds * 10, 10)
  const latencies = await receivers.latencies(talked.said - saidBefore)
  const worked = (await service.process.ask<number>('cpu')) - before
  const rate = digits(latencies.length / seconds)
  report.note('deliveries a second, to 99 receivers that answer', rate)
  report.note('… act to arrival, p50', ms(quantile(latencies, 0.5)))
  report.below('… act to arrival, p99', quantile(latencies, 0.99), { most: 200, write: ms })
  report.note('… processor time of the service, for each', ms(worked / latencies.length))
}

interface Keyed {
  readonly quiet: Talk
  readonly talked: Talk
  readonly rounds: number
}

/** In turns, so that what else the machine does in a minute is in both. */
async function measureKeys(keys: Keys, { quiet, talked, rounds }: Keyed) {
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    await keys.during(quiet.speak(5, 1))
    alone.push(...keys.all())
    await keys.during(talked.speak(5, 1))
    beside.push(...keys.all())
  }
  return { alone: quantile(alone, 0.99), beside: quantile(beside, 0.99) }
}

/** One who comments in a document; each text begins with the time at which it was posted. */
class Talk {
  readonly service: BenchService
  readonly token: string
  readonly path: string
  said = 0

  private constructor(service: BenchService, token: string, path: string) {
    this.service = service
    this.token = token
    this.path = path
  }

  static async begin(service: BenchService): Promise<Talk> {
    const token = await registered(service, 'Writer')
    const body = { markdown: '# Plan\n' }
    const made = await service.must('POST', '/docs', { token, body })
    return new Talk(service, token, `/docs/${jsonOf<Record<string, string>>(made)['id']}`)
  }

  async speak(count: number, rate: number): Promise<void> {
    const started = performance.now()
    const answers: Promise<unknown>[] = []
    for (let n = 0; n < count; n++) {
      await pause(Math.max(0, started + (n * 1000) / rate - performance.now()))
      this.said += 1
      const now = performance.timeOrigin + performance.now()
      const body = { general: true, text: `${now} is when this was said` }
      answers.push(this.service.must('POST', `${this.path}/comments`, { token: this.token, body }))
    }
    await Promise.all(answers)
  }
}

async function registered(service: BenchService, name: string): Promise<string> {
  const made = await service.must('POST', '/agents/register', { body: { name } })
  return String(jsonOf<Record<string, string>>(made)['agent_secret'])
}

class Receivers {
  readonly #process = new MeasuredProcess({
    args: ['--import', 'tsx', 'bench/webhook-receivers.ts'],
  })

  /** Each of an agent that has a part in the document; the first never answers. */
  async join({ service, token: owner, path }: Talk): Promise<void> {
    const urls = await this.#ask<string[]>({ count: receiversCount })
    for (const [n, url] of urls.entries()) {
      const made = await service.must('POST', '/agents/register', { body: { name: `Agent ${n}` } })
      const { agent_secret: token = '', handle } = jsonOf<Record<string, string>>(made)
      const hook = { webhook_url: url, webhook_events: ['comment.created'] }
      await service.must('PATCH', '/agents/me', { token, body: hook })
      const grant = { handle, role: 'commenter' }
      await service.must('POST', `${path}/access`, { token: owner, body: grant })
    }
  }

  /** Milliseconds from act to arrival of each, when all but the first have what was said. */
  async latencies(said: number): Promise<readonly number[]> {
    const expected = said * (receiversCount - 1)
    for (let turn = 0; ; turn++) {
      const arrived = await this.#ask<number>('arrived')
      if (arrived >= expected) return this.#ask('latencies')
      if (turn > 3_000) throw new Error(`${arrived} of ${expected} arrived`)
      await pause(20)
    }
  }

  async forget(): Promise<void> {
    await this.#ask('forget')
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }

  #ask<T>(order: ReceiversOrder): Promise<T> {
    return this.#process.ask<T>(order)
  }
}
