/**
 * An edit beside the least that it could cost: a bare HTTP server that reads as much, appends a record as long and
 * waits for the disk, and answers with as many bytes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MeasuredProcess } from './process.ts'
import { Report, type Section } from './report.ts'
import { BenchService, type Created } from './service.ts'
import { digits, median, ms, quantile, times } from './stats.ts'
import { documentOf, sizes } from './text.ts'
import { Words } from './words.ts'

const most = 3
/** How often an edit is made before it counts. */
const warmUps = { fresh: 20, warm: 1_000 } as const
/** An answer that is told how long it is to be, as the service's edit is seen to be. */
interface Lengths {
  readonly record: number
  readonly answer: number
}

class BareServer {
  readonly #process = new MeasuredProcess({
    args: ['--import', 'tsx', 'bench/bare-server.ts'],
    core: 0,
  })
  readonly #agent = new Agent({ keepAlive: true })
  readonly #directory = mkdtempSync(join(tmpdir(), 'scriptorium-bare-'))
  #port = 0

  async start(): Promise<void> {
    const file = join(this.#directory, 'log')
    const { port } = await this.#process.ask<{ port: number }>({ file })
    this.#port = port
  }

  /** Milliseconds from the first byte of the request to the last one of the answer. */
  edit(payload: string, { record, answer }: Lengths): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      'x-record': record,
      'x-answer': answer,
    }
    const began = performance.now()
    return new Promise((resolve, reject) => {
      const to = { agent: this.#agent, host: '127.0.0.1', port: this.#port }
      const sent = request({ ...to, method: 'PATCH', headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const took = performance.now() - began
          if (Buffer.concat(chunks).length === answer) resolve(took)
          else reject(new Error('the bare server answered with another length'))
        })
      })
      sent.on('error', reject)
      sent.end(payload)
    })
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.#process.stop()
    rmSync(this.#directory, { recursive: true })
  }
}

export async function measureBare(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const bare = new BareServer()
  const service = await BenchService.start({ core: 0 })
  try {
    await bare.start()
    const documents: Edited[] = []
    for (const { name, blocks } of sizes) {
      const document = await service.create(documentOf(blocks))
      documents.push({ name, document, words: new Words(blocks) })
    }
    const repeats = isQuick ? 60 : 300
    for (const [state, turns] of Object.entries(warmUps)) {
      for (const edited of documents) {
        for (let turn = 0; turn < turns / 3; turn++) await pair(service, bare, edited)
      }
      for (const edited of documents) await pairs(report, { service, bare, edited, state, repeats })
    }
  } finally {
    await service.stop()
    await bare.stop()
  }
  return {
    title: 'An edit beside a bare server',
    how:
      'One word is replaced by a PATCH; then the same request goes to a bare HTTP server (`bench/bare-server.ts`), which parses it, ' +
      'appends a record of the length that the edit added to the log of the store, waits for the disk and ' +
      'answers with as many bytes; and so on in turn. Both on one core, the client on all. Fresh: the first edits after a start; ' +
      'warm: after a thousand.',
    rows: report.rows,
  }
}

interface Edited {
  readonly name: string
  readonly document: Created
  readonly words: Words
}

interface Pair {
  readonly ours: number
  readonly theirs: number
  readonly lengths: Lengths
}

async function pair(service: BenchService, bare: BareServer, edited: Edited): Promise<Pair> {
  const { document, words } = edited
  const body = { edits: [words.next()] }
  const before = service.loggedBytes()
  const answer = await service.must('PATCH', document.path, { token: document.owner.token, body })
  const logged = service.loggedBytes() - before
  // A log that was begun anew says nothing of one edit.
  const lengths = { record: logged > 0 ? logged : 1_024, answer: answer.bytes.length }
  const theirs = await bare.edit(JSON.stringify(body), lengths)
  return { ours: answer.ms, theirs, lengths }
}

async function pairs(
  report: Report,
  {
    service,
    bare,
    edited,
    state,
    repeats,
  }: {
    readonly service: BenchService
    readonly bare: BareServer
    readonly edited: Edited
    readonly state: string
    readonly repeats: number
  },
): Promise<void> {
  const made: Pair[] = []
  const cpu = service.process.cpuMs()
  for (let turn = 0; turn < repeats; turn++) made.push(await pair(service, bare, edited))
  const each = (service.process.cpuMs() - cpu) / repeats
  const ours = made.map((one) => one.ours)
  const theirs = made.map((one) => one.theirs)
  const { name } = edited
  const at = (share: number) => `${ms(quantile(ours, share))}, ${ms(quantile(theirs, share))}`
  report.note(`${name}, ${state}: p50 of the edit, of the bare server`, at(0.5))
  report.note('… the quickest tenth', at(0.1))
  report.note('… p99', at(0.99))
  report.note('… processor time of the edit', ms(each))
  const record = median(made.map(({ lengths }) => lengths.record))
  const answer = median(made.map(({ lengths }) => lengths.answer))
  report.note('… bytes of the record, of the answer', `${digits(record)}, ${digits(answer)}`)
  report.below(`… edit by bare server`, median(ours) / median(theirs), { most, write: times })
}
