/** What becomes of a thousand anchors under each operation that may meet their words. */
import { type Ending, trials } from '../tests/laws/web/anchor-trials.ts'
import { Report, type Section } from './report.ts'
import { digits } from './stats.ts'

const seed = 2026
const rightAtLeast = 0.95

export async function measureAnchors(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const count = isQuick ? 50 : 1_000
  const all: Counts = { right: 0, 'given up': 0, wrong: 0 }
  const byName = new Map<string, Counts>()
  for await (const { name, ending } of trials(seed, count)) {
    const counts = byName.get(name) ?? { right: 0, 'given up': 0, wrong: 0 }
    byName.set(name, counts)
    counts[ending] += 1
    all[ending] += 1
  }
  for (const [name, counts] of byName) report.add(rowOf(name, counts))
  report.add(rowOf('all of it', all))
  return {
    title: 'Anchors',
    how:
      `${digits(count)} documents for each operation, in each a thread on one to three words of a paragraph, ` +
      'an item or a cell, whose block has others before and behind or none. By the editor of the page ' +
      'and by REST, on the state of the service. Right: on these words and no others, or on none ' +
      'where they are gone; given up: on none though they stand; wrong: on others.',
    rows: report.rows,
  }
}

type Counts = Record<Ending, number>

function rowOf(what: string, { right, 'given up': givenUp, wrong }: Counts) {
  const share = right / (right + givenUp + wrong)
  return {
    what,
    value: `${digits(right)} right, ${digits(givenUp)} given up, ${digits(wrong)} wrong`,
    target: '≥ 95 % right, 0 wrong',
    met: share >= rightAtLeast && wrong === 0,
  }
}
