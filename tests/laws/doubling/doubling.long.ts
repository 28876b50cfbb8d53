/**
 * The same hunt for longer: patterns are drawn for each input, and the dearest are changed again
 * and again, so that what is expensive breeds what is more so. `SEED=…`, `MINUTES=…` (10).
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { startService } from '../../unit/rest/service.ts'
import { growthOf, shown } from './growth.ts'
import { soughtInputs, type TextInput, textInputs } from './inputs.ts'
import { drawPattern, mutated, nearMisses, type Pattern } from './patterns.ts'

const service = await startService()
test.after(() => service.close())

const seed = Number(process.env['SEED'] ?? 42)
const minutes = Number(process.env['MINUTES'] ?? 10)
/** Patterns of one input from which others are made. */
const keptMax = 6

interface Kept {
  readonly pattern: Pattern
  readonly cpuMs: number
}

test('nothing that is bred from expensive inputs grows faster than its text', async () => {
  const chance = new Chance(seed)
  const did = new Tally()
  const { json } = await service.call('POST', '/agents/register', { body: { name: 'Quill' } })
  const scene = { service, agent: String(json['agent_secret']) }
  const problems: string[] = []
  const dearest = new Map<TextInput, Kept[]>()
  for (const input of soughtInputs) {
    for (const near of nearMisses) {
      const { costs, problem } = await growthOf(input.prepare(scene, near), input.most)
      did.add('sought', 1)
      if (problem !== undefined) {
        problems.push(`${input.name} ${near.name} ${problem} (${shown(costs)})`)
      }
    }
  }
  const until = performance.now() + minutes * 60_000
  for (let at = 0; performance.now() < until; at++) {
    const input = textInputs[at % textInputs.length]
    if (input === undefined) break
    const kept = dearest.get(input) ?? []
    const parent = chance.below(3) === 0 ? undefined : chance.pick(kept)
    const pattern =
      parent === undefined
        ? drawPattern(input.dialect, chance)
        : mutated(parent.pattern, input.dialect, chance)
    const { costs, problem } = await growthOf(input.prepare(scene, pattern), input.most)
    did.add('patterns', 1)
    if (problem !== undefined) {
      problems.push(`${input.name} ${pattern.name} ${problem} (${shown(costs)})`)
    }
    kept.push({ pattern, cpuMs: costs.at(-1)?.cpuMs ?? 0 })
    kept.sort((a, b) => b.cpuMs - a.cpuMs)
    dearest.set(input, kept.slice(0, keptMax))
  }
  for (const [input, [first]] of dearest) {
    if (first) console.log(`\n${input.name}: ${first.pattern.name} ${first.cpuMs.toFixed(0)} ms`)
  }
  did.tell(`${seed} bred`, { patterns: 10, sought: 10 })
  assert.equal(problems, [])
})

test.run()
