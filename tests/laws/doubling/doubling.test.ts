/**
 * Law 5: no input of any route, live message or file takes more than the time that it is long, and
 * none holds the event loop for long in one step. What was slow once is tried first, then patterns
 * by chance, as many as the time allows; `SEED=…` repeats those of another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { startService } from '../../unit/rest/service.ts'
import { callOf, fieldInputs } from './fields.ts'
import { growthOf, type Prepare, shown } from './growth.ts'
import { type Scene, soughtInputs, textInputs } from './inputs.ts'
import { drawPattern, nearMisses, type Pattern, patternOf } from './patterns.ts'

const seed = Number(process.env['SEED'] ?? 42)
const chance = new Chance(seed)
const service = await startService()
const { json } = await service.call('POST', '/agents/register', { body: { name: 'Quill' } })
const scene: Scene = { service, agent: String(json['agent_secret']) }
test.after(() => service.close())

/** What was found slow in an attack, by the input. */
const knownSlow: Readonly<Record<string, readonly Pattern[]>> = {
  'front matter that is none': [patternOf('many', ' ', '')],
  'front matter': [
    patternOf('many', '}\n', ''),
    patternOf('many', '*\n', ''),
    patternOf('many', '? - \n', ''),
  ],
  'PATCH new_string': [patternOf('one then many', '*x ', '](<'), patternOf('many', '](', '')],
  'JSON body': [patternOf('many', '[],', ''), patternOf('many', '{"a":', '')],
  'feedback message': [patternOf('many', '-eyJ', ''), patternOf('many', 'token=', '')],
  'typed in a live paragraph, and a key behind it': [patternOf('lines', '![!', '*ab ')],
  'PATCH replace_document': [patternOf('many', 'word ', '')],
  'typed in a live front_matter, and a key behind it': [patternOf('one then many', 'a', ' ')],
}

const did = new Tally()
const problems: string[] = []

async function judge(name: string, prepare: Prepare, most: number): Promise<void> {
  const { costs, problem } = await growthOf(prepare, most)
  did.add('inputs', 1)
  if (problem !== undefined) problems.push(`${name} ${problem} (${shown(costs)})`)
}

function noProblems(): void {
  const found = problems.splice(0)
  assert.equal(found, [])
}

test('the code is warm', async () => {
  for (const input of textInputs) {
    const work = await input.prepare(scene, patternOf('many', 'word ', ''))(1_000)
    await work()
  }
})

test('what was slow once grows as its input does', async () => {
  for (const input of textInputs) {
    for (const pattern of knownSlow[input.name] ?? []) {
      await judge(`${input.name} ${pattern.name}`, input.prepare(scene, pattern), input.most)
    }
  }
  const names = textInputs.map(({ name }) => name)
  assert.equal(
    Object.keys(knownSlow).filter((name) => !names.includes(name)),
    [],
  )
  noProblems()
})

test('what is looked for grows as it does, also where it nearly stands everywhere', async () => {
  for (const [at, input] of soughtInputs.entries()) {
    const near = nearMisses[(at + seed) % nearMisses.length]
    if (near === undefined) continue
    await judge(`${input.name} ${near.name}`, input.prepare(scene, near), input.most)
  }
  noProblems()
})

test('every field of every route grows as its text does', async () => {
  const made = await service.create('# Title\n\nsome words\n', 'Ann')
  for (const input of fieldInputs) {
    const pattern = drawPattern(chance.oneOf(['words', 'name', 'markdown']), chance)
    const call = callOf(input, scene, made)
    const prepare = async (size: number) => {
      const text = pattern.text(size)
      return () => call(text)
    }
    await judge(`${input.name} ${pattern.name}`, prepare, input.most)
  }
  noProblems()
})

test('patterns by chance grow as their text does', async () => {
  const untilMs = performance.now() + (process.env['LONG'] ? 30_000 : 2_000)
  for (let at = 0; performance.now() < untilMs || at < textInputs.length; at++) {
    const input = textInputs[at % textInputs.length]
    if (input === undefined) break
    const pattern = drawPattern(input.dialect, chance)
    await judge(`${input.name} ${pattern.name}`, input.prepare(scene, pattern), input.most / 2)
  }
  noProblems()
  did.tell(`${seed} doubling`, { inputs: 200 })
})

test.run()
