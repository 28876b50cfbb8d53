/**
 * A thousand deliveries a second to a hundred receivers, one of which never answers: how long an
 * act takes to arrive at the other 99. Then what deliveries cost somebody who types.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HonestTypist } from './attacks/honest-typist.ts'
import { Report, type Section } from './report.ts'
import { BenchService, jsonOf } from './service.ts'
import { digits, ms, quantile, times } from './stats.ts'
import { typing } from './uploads.ts'

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
    const quiet = await Talk.begin(service)
    await talked.speak(5, 5)
    await receivers.quiet(talked.said)

    const seconds = isQuick ? 5 : 20
    receivers.forget()
    const spokenBefore = talked.said
    const before = await service.process.ask<number>('cpu')
    await talked.speak(seconds * 10, 10)
    await receivers.quiet(talked.said - spokenBefore)
    const worked = (await service.process.ask<number>('cpu')) - before
    const { latencies } = receivers
    report.note(
      'deliveries a second, to 99 receivers that answer',
      digits(latencies.length / seconds),
    )
    report.note('… act to arrival, p50', ms(quantile(latencies, 0.5)))
    report.below('… act to arrival, p99', quantile(latencies, 0.99), { most: 200, write: ms })
    report.note('… processor time of the service, for each', ms(worked / latencies.length))

    const keys = await typing(service, typists)
    await keys.during(quiet.speak(5, 1))
    const turns = isQuick ? 10 : 40
    await keys.during(quiet.speak(turns, 1))
    const alone = quantile(keys.all(), 0.99)
    await keys.during(talked.speak(turns, 1))
    const beside = quantile(keys.all(), 0.99)
    report.note('key, p99, one comment a second that nobody is sent', ms(alone))
    report.note('… one that a hundred are sent', ms(beside))
    report.below('… which is', beside / alone, { most: 1.3, write: times })
  } finally {
    for (const typist of typists) typist.client.close()
    receivers.close()
    await service.stop()
  }
  return {
    title: 'Webhooks',
    how:
      'Ten comments a second in one document, each sent to a hundred agents; the receivers are in ' +
      'the client process, which shares the machine with the service.',
    rows: report.rows,
  }
}

/** One who comments in a document; when each act began, by its number. */
class Talk {
  readonly service: BenchService
  readonly token: string
  readonly path: string
  readonly began = new Map<string, number>()

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

  get said(): number {
    return this.began.size
  }

  async speak(count: number, rate: number): Promise<void> {
    const started = performance.now()
    const answers: Promise<unknown>[] = []
    for (let n = 0; n < count; n++) {
      await pause(Math.max(0, started + (n * 1000) / rate - performance.now()))
      const name = `${this.path}#${this.said}`
      this.began.set(name, performance.now())
      const body = { general: true, text: name }
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
  readonly latencies: number[] = []
  readonly #servers: Server[] = []
  #talk: Talk | undefined

  /** Each of an agent that has a part in the document; the first never answers. */
  async join(talk: Talk): Promise<void> {
    this.#talk = talk
    const { service } = talk
    for (let n = 0; n < receiversCount; n++) {
      const url = await this.#receiver(n === 0)
      const made = await service.must('POST', '/agents/register', { body: { name: `Agent ${n}` } })
      const { agent_secret: token = '', handle } = jsonOf<Record<string, string>>(made)
      const hook = { webhook_url: url, webhook_events: ['comment.created'] }
      await service.must('PATCH', '/agents/me', { token, body: hook })
      const grant = { handle, role: 'commenter' }
      await service.must('POST', `${talk.path}/access`, { token: talk.token, body: grant })
    }
  }

  forget(): void {
    this.latencies.length = 0
  }

  /** When all but the first have what was said. */
  async quiet(said: number): Promise<void> {
    const expected = said * (receiversCount - 1)
    for (let turn = 0; this.latencies.length < expected; turn++) {
      if (turn > 3_000) throw new Error(`${this.latencies.length} of ${expected} arrived`)
      await pause(20)
    }
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
  }

  async #receiver(isSilent: boolean): Promise<string> {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (data) => (text += data))
      request.on('end', () => {
        if (isSilent) return
        response.writeHead(204).end()
        const began = this.#talk?.began.get(JSON.parse(text).data.comment.text)
        if (began !== undefined) this.latencies.push(performance.now() - began)
      })
    })
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  }
}
