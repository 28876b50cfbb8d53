/**
 * How long sign-in takes for a handle that there is and for one that there is not, as somebody sees
 * it who has only the answers (extensions §2). The two are asked in turns of two in the order of a
 * coin, so that whatever else the machine does falls on both. Passwords cost a hundredth of the
 * usual here: what else differs would show the more.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { startService } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config.ts'
import { systemRuntime } from '../../../server/runtime.ts'
import { Chance } from '../../chance.ts'

interface Timings {
  readonly known: readonly number[]
  readonly unknown: readonly number[]
}

const passwordCost = { N: 2 ** 10, r: 8, p: 1 }
const warmUp = 100

async function signInTimes(tries: number, seed: number): Promise<Timings> {
  const directory = mkdtempSync(join(tmpdir(), 'timing-'))
  const rates = { RATE_LOGIN: '0', RATE_ACCOUNT: '0' }
  const config = readConfig({ PORT: '0', DATA_DIR: join(directory, 'data'), ...rates })
  const logger = pino({ level: 'silent' })
  const service = await startService({ config, runtime: systemRuntime, logger, passwordCost })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = (path: string, body: object) => posted({ agent, port: service.port, path }, body)
  try {
    const chance = new Chance(seed)
    const handles = Array.from({ length: tries }, (_, n) => `somebody-${n}`)
    const password = 'correct horse'
    for (const handle of handles.slice(0, 50)) {
      assert.is((await post('/auth/signup', { handle, name: handle, password })).status, 201)
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let n = -warmUp; n < tries / 2; n++) {
      const both: [string, number[]][] = [
        [`somebody-${Math.abs(n) % 50}`, known],
        [`stranger-${Math.abs(n) % 50}`, unknown],
      ]
      for (const [handle, times] of chance.below(2) === 0 ? both : both.reverse()) {
        const { status, ms } = await post('/auth/login', { handle, password: `wrong ${n}` })
        assert.is(status, 401)
        if (n >= 0) times.push(ms)
      }
    }
    return { known, unknown }
  } finally {
    agent.destroy()
    await service.stop()
    rmSync(directory, { recursive: true })
  }
}

interface Way {
  readonly agent: Agent
  readonly port: number
  readonly path: string
}

function posted({ agent, port, path }: Way, body: object): Promise<{ status: number; ms: number }> {
  const headers = { 'Content-Type': 'application/json' }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, path, method: 'POST', headers }
    const sent = request(options, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - began })
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

/**
 * How often one of the first is the longer of two (Mann and Whitney's U, as a share): a half where
 * time tells nothing. And how far chance alone takes it from that, one standard deviation.
 */
function separation(
  one: readonly number[],
  other: readonly number[],
): { readonly share: number; readonly deviation: number } {
  let longer = 0
  for (const a of one) for (const b of other) longer += a > b ? 1 : a === b ? 0.5 : 0
  const pairs = one.length * other.length
  const deviation = Math.sqrt((one.length + other.length + 1) / (12 * pairs))
  return { share: longer / pairs, deviation }
}

/** Whether a way that is half as long again would be told apart in such times. */
function wouldBeSeen({ known, unknown }: Timings, deviations: number): boolean {
  const slower = known.map((ms) => ms * 1.5)
  const { share, deviation } = separation(slower, unknown)
  return (share - 0.5) / deviation > deviations
}

/**
 * Fails where time tells more than so many standard deviations. Where the machine is too busy for
 * so few tries to tell anything, it is tried twice as often, and again.
 */
export async function assertTellsNothing(tries: number, deviations: number): Promise<void> {
  const times = await signInTimes(tries, tries)
  const { share, deviation } = separation(times.known, times.unknown)
  const off = Math.abs(share - 0.5) / deviation
  const told = `${(share * 100).toFixed(1)} %, ${off.toFixed(1)} deviations`
  console.log(`of ${tries} tries known is the longer in ${told}`)
  assert.ok(off < deviations, `${off} standard deviations`)
  if (wouldBeSeen(times, deviations)) return
  assert.ok(tries < 4_000, 'too noisy to see anything')
  await assertTellsNothing(2 * tries, deviations)
}
