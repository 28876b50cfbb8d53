/** A word by PATCH: on LevelDB, at the node that has the document, and at the other one. */
import type { Report } from '../report.ts'
import type { BenchService, Created } from '../service.ts'
import { ms, quantile, times } from '../stats.ts'
import { holderOf, type Installation, install } from './installation.ts'

const warmCount = 40

class Words {
  readonly #document: Created
  #count = 0

  constructor(document: Created) {
    this.#document = document
  }

  async patch(at: BenchService): Promise<number> {
    const { path, owner } = this.#document
    const edits = [{ old_string: `word${this.#count}.`, new_string: `word${++this.#count}.` }]
    return (await at.must('PATCH', path, { token: owner.token, body: { edits } })).ms
  }
}

const text = `word0.\n\n${'Words that stay as they are, line after line.\n\n'.repeat(200)}`

async function measure(installation: Installation, count: number) {
  const { first, nodes } = installation
  const document = await first.create(text)
  const words = new Words(document)
  await words.patch(first)
  const right = (await holderOf(installation, document.slug)) ?? first
  const wrong = nodes.find((node) => node !== right)
  const [atRight, atWrong]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < warmCount + count; turn++) {
    const [own, passed] = [await words.patch(right), wrong && (await words.patch(wrong))]
    if (turn < warmCount) continue
    atRight.push(own)
    if (passed !== undefined) atWrong.push(passed)
  }
  return { atRight, atWrong }
}

export async function measurePatches(report: Report, isQuick: boolean): Promise<void> {
  const count = isQuick ? 60 : 400
  const note = (what: string, taken: readonly number[], beside?: number) => {
    const ratio = beside === undefined ? '' : `; ${times(quantile(taken, 0.5) / beside)}`
    const waits = `${ms(quantile(taken, 0.5))}, ${ms(quantile(taken, 0.99))}${ratio}`
    report.note(`a word by PATCH, 10 KB: ${what}: p50, p99`, waits)
  }
  const level = await install('LevelDB, one node')
  let base: number
  try {
    const { atRight } = await measure(level, count)
    base = quantile(atRight, 0.5)
    note('LevelDB, one node', atRight)
  } finally {
    await level.stop()
  }
  const two = await install('PostgreSQL, two nodes')
  try {
    const { atRight, atWrong } = await measure(two, count)
    note("the right node; p50 by LevelDB's", atRight, base)
    note("the wrong node; p50 by the right one's", atWrong, quantile(atRight, 0.5))
  } finally {
    await two.stop()
  }
}
