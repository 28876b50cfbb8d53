/**
 * A thousand sign-ins at once, from four addresses and without a quota, beside two people who type:
 * as many are hashed as wait in line, the others are told to come again.
 */
import type { Report } from '../report.ts'
import { ms, quantile } from '../stats.ts'
import { documentOf } from '../text.ts'
import { type Pace, typists } from './loads.ts'
import type { Attack, Facts } from './order.ts'
import { pause } from './outlet.ts'
import { type Felt, Scene } from './scene.ts'
import { tell } from './telling.ts'

const sources = ['127.0.0.4', '127.0.0.5', '127.0.0.6', '127.0.0.7']
export const signIns = 1_000
export const keyMaxMs = 100
const mostMs = 180_000
const aloneMs = 10_000

export async function manySignIns(report: Report, pace: Pace): Promise<void> {
  await withTypists(async (feel) => {
    const { felt, facts } = await feel.signIns(pace)
    tell(report, { name: `${signIns} sign-ins at once`, facts }, felt)
    report.below('… key to another’s copy, longest', quantile(felt.keys, 1), {
      most: keyMaxMs,
      write: ms,
    })
  })
}

export interface SignInPair {
  /** The same two people before, for what the machine does by itself. */
  readonly alone: Felt
  readonly beside: Felt
  readonly facts: Facts
}

export function signInPair(pace: Pace): Promise<SignInPair> {
  return withTypists(async (feel) => {
    const alone = await feel.nothing(pace)
    const { felt, facts } = await feel.signIns(pace)
    return { alone, beside: felt, facts }
  })
}

interface Feeling {
  nothing(pace: Pace): Promise<Felt>
  signIns(pace: Pace): Promise<{ readonly felt: Felt; readonly facts: Facts }>
}

/** A service of its own, with one account and one document. */
async function withTypists<T>(work: (feel: Feeling) => Promise<T>): Promise<T> {
  const scene = await Scene.open({ env: { RATE_LOGIN: '0' } })
  try {
    const body = { handle: 'somebody', name: 'Somebody', password: 'correct horse' }
    await scene.service.must('POST', '/auth/signup', { body })
    const document = await scene.service.create(documentOf(50))
    const target = { slug: document.slug, tokens: [] }
    const many = signIns / sources.length
    const feel = async (pace: Pace, happens: () => Promise<unknown>) =>
      scene.felt({ honest: [await typists(scene, document)], ...pace }, happens)
    return await work({
      nothing: (pace) => feel(pace, () => pause(aloneMs)),
      signIns: async (pace) => {
        const attack: Attack = { kind: 'sign-ins', target, many, seconds: pace.seconds }
        const facts: Record<string, number> = {}
        const felt = await feel(pace, async () => {
          const all = sources.map((from) => scene.attack({ from, attacks: [attack] }, mostMs))
          for (const seen of await Promise.all(all)) addTo(facts, seen)
        })
        return { felt, facts }
      },
    })
  } finally {
    await scene.close()
  }
}

function addTo(all: Record<string, number>, seen: Facts): void {
  for (const [name, value] of Object.entries(seen)) {
    const isLongest = name.includes('longest')
    all[name] = isLongest ? Math.max(all[name] ?? 0, value) : (all[name] ?? 0) + value
  }
}
