/** The rows a section measured, printed as they come and kept as a table. */
export interface Row {
  readonly what: string
  readonly value: string
  readonly target?: string
  /** Undefined where there is nothing to meet. */
  readonly met?: boolean
}

export interface Section {
  readonly title: string
  /** How it was measured, in a sentence or two. */
  readonly how: string
  readonly rows: readonly Row[]
}

const mark = ({ met }: Row): string => (met === undefined ? '' : met ? 'yes' : '**no**')

export class Report {
  readonly #rows: Row[] = []

  get rows(): readonly Row[] {
    return this.#rows
  }

  add(row: Row): void {
    this.#rows.push(row)
    const { what, value, target = '' } = row
    const end = row.met === undefined ? '' : row.met ? 'ok' : 'MISSED'
    console.log(`  ${what.padEnd(66)} ${value.padStart(24)}  ${target.padEnd(16)} ${end}`)
  }

  note(what: string, value: string): void {
    this.add({ what, value })
  }

  /** A number that is to stay below the target. */
  below(what: string, value: number, { most, write }: Bound): void {
    this.add({ what, value: write(value), target: `< ${write(most)}`, met: value < most })
  }

  above(what: string, value: number, { least, write }: LowerBound): void {
    this.add({ what, value: write(value), target: `> ${write(least)}`, met: value > least })
  }
}

interface Bound {
  readonly most: number
  readonly write: (value: number) => string
}

interface LowerBound {
  readonly least: number
  readonly write: (value: number) => string
}

/**
 * The kept page with this section in place of its last measurement; `machine` is what it was
 * measured on.
 */
export function pageWith(page: string, section: Section, machine: string): string {
  const kept = new Map<string, string>()
  for (const part of page.split(/^(?=## )/m).slice(1)) kept.set(part.split('\n')[0] ?? '', part)
  kept.set(`## ${section.title}`, markdownOf(section, machine))
  const opening = 'Kept by `npm run bench -- --write`, section by section.'
  const parts = [...kept.values()].map((part) => part.trim())
  return `# Measurements\n\n${opening}\n\n${parts.join('\n\n')}\n`
}

function markdownOf({ title, how, rows }: Section, machine: string): string {
  const lines = rows.map(
    (row) => `| ${row.what} | ${row.value} | ${row.target ?? ''} | ${mark(row)} |`,
  )
  const head = '| | measured | target | met |\n| --- | ---: | ---: | --- |'
  return `## ${title}\n\n${how}\nMeasured on ${machine}.\n\n${head}\n${lines.join('\n')}\n\n`
}
