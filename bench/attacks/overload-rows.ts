/**
 * What honest people do together may slow the service, but ends nobody's editing and loses no word.
 * `BENCH_OVERLOAD` picks one kind.
 */
import type { Report } from '../report.ts'
import type { Created, ServiceOptions } from '../service.ts'
import { digits } from '../stats.ts'
import { documentOf } from '../text.ts'
import { type Pace, paragraphs, typists } from './loads.ts'
import type { OverloadOrder, OverloadResult } from './overload-order.ts'
import { lineOf, replacedPlaces } from './overload-places.ts'
import { Scene, within } from './scene.ts'
import type { SlowDisk } from './slow-disk.ts'
import { counted, tell } from './telling.ts'

const crowd = 100
const slowDiskMs = 3_000
const beginMost = 300_000
const resultMost = 400_000

interface Overload {
  readonly name: string
  readonly kind: OverloadOrder['kind']
  readonly people: number
  readonly markdown: string
  readonly slowDiskMs?: number
  /** Paragraphs or places, where they are not letters. */
  readonly unit?: string
}

export async function overloads(report: Report, pace: Pace): Promise<void> {
  const front = '112,000 keys each in front of the last, then the sender leaves'
  const code = Array.from({ length: replacedPlaces }, (_, index) => lineOf('old', index))
  const all: readonly Overload[] = [
    {
      name: '100 people type in 3.6 MiB while each write takes 3 s',
      kind: 'crowd',
      people: crowd,
      markdown: documentOf(38_000),
      slowDiskMs,
    },
    {
      name: '100 people add paragraphs at the top at once',
      kind: 'top',
      people: crowd,
      markdown: paragraphs(1_000),
      unit: 'paragraphs',
    },
    {
      name: '100 people paste 36 KB each at once',
      kind: 'pastes',
      people: crowd,
      markdown: paragraphs(50),
      unit: 'paragraphs',
    },
    {
      name: '50 people come back at once with 200 paragraphs each, written offline all over',
      kind: 'merges',
      people: crowd / 2,
      markdown: paragraphs(1_000),
      unit: 'paragraphs',
    },
    { name: front, kind: 'front-live', people: 1, markdown: 'start\n' },
    { name: `${front}, written offline`, kind: 'front-offline', people: 1, markdown: 'start\n' },
    {
      name: '14,000 places of one code block replaced in one update',
      kind: 'replace',
      people: 1,
      markdown: `\`\`\`\n${code.join('\n')}\n\`\`\`\n`,
      unit: 'places',
    },
  ]
  const only = process.env['BENCH_OVERLOAD']
  for (const overload of all) {
    if (only === undefined || overload.kind === only) await bear(report, pace, overload)
  }
}

const preload: ServiceOptions = { node: ['--import', './bench/attacks/slow-disk.ts'] }

async function bear(report: Report, pace: Pace, overload: Overload): Promise<void> {
  const isSlow = overload.slowDiskMs !== undefined
  // Quotas are of an address; the setting makes a hundred people from one.
  const scene = await Scene.open({ hasQuotas: false, ...(isSlow && preload) })
  try {
    const own = await scene.service.create(documentOf(50))
    const shared = await scene.service.create(overload.markdown)
    // Where every write takes seconds a key does too: there only who asks is heard.
    const people = await typists(scene, own)
    const honest = [isSlow ? { ...people, seats: [] } : people]
    const begun = await begin(scene, shared, { overload, seconds: Math.min(20, pace.seconds) })
    let result: OverloadResult | undefined
    const felt = await scene.felt({ honest, ...pace }, async () => {
      result = await begun()
    })
    tell(report, { name: overload.name }, felt)
    tellWords(report, overload, result)
  } finally {
    await scene.close()
  }
}

interface Beginning {
  readonly overload: Overload
  readonly seconds: number
}

/** The people are there; returns what lets them start and resolves with what became of it. */
async function begin(
  scene: Scene,
  document: Created,
  { overload, seconds }: Beginning,
): Promise<() => Promise<OverloadResult | undefined>> {
  const { slug } = document
  const people = await scene.people(document, overload.people)
  const driver = scene.driver('overload.ts')
  const { kind } = overload
  const { port } = scene.service
  const order: OverloadOrder = { kind, port, slug, people, seconds }
  await within(beginMost, driver.ask(order))
  return async () => {
    const slow: SlowDisk = { slowDiskMs: overload.slowDiskMs ?? 0 }
    if (overload.slowDiskMs !== undefined) scene.service.process.send(slow)
    const gone = () => undefined
    const result = await within(resultMost, driver.ask<OverloadResult>('go').catch(gone))
    if (overload.slowDiskMs !== undefined) scene.service.process.send({ slowDiskMs: 0 })
    return result
  }
}

function tellWords(
  report: Report,
  { unit = 'letters' }: Overload,
  result: OverloadResult | undefined,
): void {
  if (result === undefined) {
    const value = 'their process did not come back'
    report.add({ what: `… closed for good; ${unit} missing`, value, target: '0; 0', met: false })
    return
  }
  const { closedForGood, missing, written, closes, secondsUntilThere } = result
  report.add({
    what: `… of these people: closed for good; ${unit} missing in the end`,
    value: `${closedForGood}; ${digits(missing)} of ${digits(written)}`,
    target: '0; 0',
    met: closedForGood === 0 && missing === 0,
  })
  report.note('… until the last word was there', `${digits(secondsUntilThere)} s`)
  if (closes.length > 0) report.note('… lines lost by these people', counted(closes))
}
