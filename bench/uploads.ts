/**
 * A hundred images of 5 MB uploaded at once while two people type: what that takes of the service's
 * memory, and what becomes of a key.
 */
import { Agent, request } from 'node:http'
import { Chance } from '../tests/chance.ts'
import { largePng } from '../tests/pictures.ts'
import { HonestTypist } from './attacks/honest-typist.ts'
import { Latencies } from './attacks/latencies.ts'
import { Report, type Section } from './report.ts'
import { BenchService, jsonOf } from './service.ts'
import { mb, ms, quantile } from './stats.ts'

const imageBytes = 5_000_000
const imagesOfDocument = 20
const keyEveryMs = 100

const pause = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

export async function measureUploads(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const service = await BenchService.start({ env: { BENCH_HOLDS: '1' } })
  const typists: HonestTypist[] = []
  try {
    const upload = await uploader(service)
    const keys = await typing(service, typists)
    // What runs often is compiled first: machine code is no upload's memory.
    await Promise.all(Array.from({ length: 10 }, () => upload()))
    await keys.during(pause(3_000))
    report.note('key to another’s copy, nothing else going on, p95', ms(quantile(keys.all(), 0.95)))
    const before = service.process.residentBytes()
    let most = before
    const look = setInterval(() => {
      most = Math.max(most, service.process.residentBytes())
    }, 20)
    await service.hold()
    const started = performance.now()
    const count = isQuick ? 30 : 100
    await keys.during(Promise.all(Array.from({ length: count }, () => upload())))
    const took = performance.now() - started
    clearInterval(look)
    report.note(`${count} images of 5 MB, all at once`, ms(took))
    const grown = most - before
    report.below('… resident memory grows by', grown, { most: 100 * 1024 ** 2, write: mb })
    report.below('… key, p95', quantile(keys.all(), 0.95), { most: 100, write: ms })
    report.note('… key, slowest', ms(Math.max(...keys.all())))
    report.note('… longest hold of the event loop', ms(await service.hold()))
  } finally {
    for (const typist of typists) typist.client.close()
    await service.stop()
  }
  return {
    title: 'Uploads',
    how:
      'All from one address and one client process, which shares the machine with the service; ' +
      'memory as the system says, looked at every 20 ms.',
    rows: report.rows,
  }
}

/** Each image differs from the others, and no document has more of them than it may. */
async function uploader(service: BenchService): Promise<() => Promise<void>> {
  const body = { name: 'Uploader' }
  const made = jsonOf<Record<string, string>>(
    await service.must('POST', '/agents/register', { body }),
  )
  const token = String(made['agent_secret'])
  const image = largePng(imageBytes, new Chance(1))
  const agent = new Agent({ keepAlive: false })
  let count = 0
  let path: Promise<string> = Promise.resolve('')
  return async () => {
    const index = count++
    if (index % imagesOfDocument === 0) {
      const markdown = '# Pictures\n'
      path = service
        .must('POST', '/docs', { token, body: { markdown } })
        .then((answer) => `/docs/${jsonOf<Record<string, string>>(answer)['id']}/images`)
    }
    const different = Buffer.from(String(index).padStart(8, '0'))
    await send({ service, agent, path: await path, token }, [
      ...[image.subarray(0, 1_000_000), different, image.subarray(1_000_008)],
    ])
  }
}

interface To {
  readonly service: BenchService
  readonly agent: Agent
  readonly path: string
  readonly token: string
}

function send({ service, agent, path, token }: To, parts: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'image/png',
      'content-length': imageBytes,
    }
    const options = { agent, host: '127.0.0.1', port: service.port, method: 'POST', path, headers }
    const sent = request(options, (response) => {
      let text = ''
      response.on('data', (data) => (text += data))
      response.on('end', () => {
        if (response.statusCode === 201) resolve()
        else reject(new Error(`an upload: ${response.statusCode} ${text.slice(0, 300)}`))
      })
    })
    sent.on('error', reject)
    for (const part of parts) sent.write(part)
    sent.end()
  })
}

export interface Keys {
  /** Of the last time. */
  all(): readonly number[]
  during(work: Promise<unknown>): Promise<void>
}

/** One types, the other hears. */
export async function typing(service: BenchService, typists: HonestTypist[]): Promise<Keys> {
  const document = await service.create('# Typed\n')
  for (const index of [0, 1]) {
    const { token } = index === 0 ? document.owner : await service.join(document, 'Second')
    const { slug } = document
    const parts = { index, port: service.port, from: `127.0.0.${10 + index}`, slug, token }
    const typist = new HonestTypist(parts)
    typists.push(typist)
    await typist.begin()
  }
  const [first, second] = typists
  if (first === undefined || second === undefined) throw new Error('nobody types')
  let latencies = new Latencies()
  second.onHeard([first.clientID], (client, upTo) => latencies.heard(1, client, upTo))
  return {
    all: () => latencies.all(),
    async during(work) {
      latencies = new Latencies()
      latencies.begin()
      let isOver = false
      const end = () => {
        isOver = true
      }
      const done = work.finally(end)
      while (!isOver) {
        latencies.typed(first.clientID, first.key(), [1])
        await pause(keyEveryMs)
      }
      await done
      for (let turn = 0; turn < 100 && !latencies.isAllHeard; turn++) await pause(20)
    },
  }
}
