/**
 * `npm run bench -- files [DIR]`: what becomes of markdown files that somebody wrote elsewhere (by
 * default those of the installed packages). How many come back byte for byte after a create, how
 * many settle, and how many edits quoted from the original are right: a PATCH whose `old_string` is
 * one to three lines of the file, one word of it changed, must make what creating the edited file
 * makes. Works on the service's own plan of an edit, without a server.
 */
import { join, relative } from 'node:path'
import { planEdits } from '../core/documents/edits/plan/plan.ts'
import { Refusal } from '../schema/errors.ts'
import { unattributed } from '../schema/ids.ts'
import type { DocumentText } from '../schema/markdown/document-text.ts'
import { created, fileText, markdownFiles, randomFrom } from './markdown-files.ts'
import { root } from './process.ts'
import { renderedAlike } from './rendered.ts'
import { Report, type Section } from './report.ts'

const quotesPerFile = 6
/** Differences that the report shows. */
const shownMost = Number(process.env['BENCH_FILES_SHOWN'] ?? 0)

const reasons: string[] = []

type Verdict = 'right' | 'refused' | 'ambiguous' | 'wrong'

interface Quote {
  readonly oldString: string
  readonly newString: string
  readonly edited: string
}

function quoteFrom(text: string, random: (below: number) => number): Quote | undefined {
  const lines = text.split('\n')
  const first = random(lines.length)
  const oldString = lines.slice(first, first + 1 + random(3)).join('\n')
  // A tag that is written otherwise would be refused, as the contract has it.
  const words = [...oldString.matchAll(/\p{L}{3,}(?![^<>]*>)/gu)]
  const word = words[random(Math.max(1, words.length))]
  if (word === undefined) return undefined
  const begin = lines.slice(0, first).join('\n').length + (first > 0 ? 1 : 0)
  if (text.indexOf(oldString) !== begin || text.includes(oldString, begin + 1)) return undefined
  const newString = `${oldString.slice(0, word.index)}${word[0]}ed${oldString.slice(word.index + word[0].length)}`
  const edited = text.slice(0, begin) + newString + text.slice(begin + oldString.length)
  return { oldString, newString, edited }
}

const actor = unattributed

function judge(text: DocumentText, { oldString, newString, edited }: Quote): Verdict {
  const wanted = created(edited)?.toString()
  try {
    const edits = [{ form: 'replace' as const, oldString, newString }]
    const plan = planEdits({ text, revision: 1, baseRevision: 1, edits, actor })
    return plan.text.toString() === wanted ? 'right' : 'wrong'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (shownMost > 0)
      reasons.push(JSON.stringify(error.details['edits'] ?? error.code).slice(0, 160))
    return error.code === 'EDIT_AMBIGUOUS' ? 'ambiguous' : 'refused'
  }
}

interface Tally {
  files: number
  refused: number
  identical: number
  settled: number
  alike: number
  /** Files that change, by what the first line that differs is. */
  readonly changes: Map<string, number>
  readonly verdicts: Record<Verdict, number>
  readonly filesRight: { right: number; all: number }
}

export async function measureFiles(folder = join(root, 'node_modules')): Promise<Section> {
  const verdicts = { right: 0, refused: 0, ambiguous: 0, wrong: 0 }
  const filesRight = { right: 0, all: 0 }
  const counts = { files: 0, refused: 0, identical: 0, settled: 0, alike: 0 }
  const tally: Tally = { ...counts, changes: new Map(), verdicts, filesRight }
  const shown: string[] = []
  for (const path of markdownFiles(folder)) {
    const text = fileText(path)
    if (text === undefined) continue
    tally.files++
    const document = created(text)
    if (document === undefined) {
      tally.refused++
      continue
    }
    const printed = document.toString()
    if (printed === text) tally.identical++
    else {
      const { line, before, after } = firstDifference(text, printed)
      const kind = kindOf(before ?? '')
      tally.changes.set(kind, (tally.changes.get(kind) ?? 0) + 1)
      const change = `${JSON.stringify(before)} becomes ${JSON.stringify(after)}`
      shown.push(`${relative(folder, path)}: line ${line}: ${change}`)
    }
    if (renderedAlike(text, printed)) tally.alike++
    if (created(printed)?.toString() === printed) tally.settled++
    judgeQuotes(document, text, { tally, shown, name: relative(folder, path) })
  }
  for (const line of shown.slice(0, shownMost)) process.stdout.write(`${line}\n`)
  return {
    title: 'Markdown files that somebody wrote elsewhere',
    how: 'Each file is created and read again, and edited by quotes of one to three of its own lines; the expected text is that of creating the edited file.',
    rows: reported(tally),
  }
}

function judgeQuotes(
  document: DocumentText,
  text: string,
  { tally, shown, name }: { tally: Tally; shown: string[]; name: string },
): void {
  const random = randomFrom(text.length)
  let [all, right] = [0, 0]
  for (let count = 0; count < quotesPerFile; count++) {
    const quote = quoteFrom(text, random)
    if (quote === undefined) continue
    const verdict = judge(document, quote)
    tally.verdicts[verdict]++
    all++
    if (verdict === 'right') right++
    else shown.push(`${name}: ${verdict} ${reasons.pop() ?? ''} ${JSON.stringify(quote.oldString)}`)
  }
  if (all === 0) return
  tally.filesRight.all++
  if (right === all) tally.filesRight.right++
}

function firstDifference(a: string, b: string) {
  const [before, after] = [a.split('\n'), b.split('\n')]
  const line = before.findIndex((text, index) => text !== after[index])
  return { line: line + 1, before: before[line], after: after[line] }
}

/** What a line looks like, for whoever wants to know what still changes. */
function kindOf(line: string): string {
  if (line.trim() === '') return 'blank lines'
  if (/^[ \t>]*\|/.test(line)) return 'tables'
  if (/^[ \t>]*(?:[-*+]|\d+[.)])(?:[ \t]|$)/.test(line)) return 'lists'
  if (/^[ \t]*>/.test(line)) return 'quotes'
  return /<[a-z!/]/i.test(line) ? 'lines with tags' : 'text'
}

function reported({ files, refused, verdicts, filesRight, changes, ...of }: Tally) {
  const report = new Report()
  const quotes = Object.values(verdicts).reduce((sum, count) => sum + count, 0)
  const share = (what: string, [part, whole]: readonly [number, number], wanted: number): void => {
    const value = (100 * part) / Math.max(1, whole)
    const [met, target] = [value >= wanted, `${wanted} %`]
    report.add({ what, value: `${value.toFixed(1)} %`, target, met })
  }
  report.note('files; refused as a whole', `${files}; ${refused}`)
  share('byte-identical after a create', [of.identical, files], 95)
  share('settled after one pass', [of.settled, files], 100)
  share('rendered alike by markdown-it and micromark', [of.alike, files], 100)
  const kinds = [...changes].map(([kind, count]) => `${kind} ${count}`).join(', ')
  report.note('files that change, by their first change', kinds || 'none')
  share(`${quotes} edits quoted from the original: right`, [verdicts.right, quotes], 98)
  share('… files all of whose edits are right', [filesRight.right, filesRight.all], 98)
  report.note('… refused; ambiguous', `${verdicts.refused}; ${verdicts.ambiguous}`)
  const met = verdicts.wrong === 0
  report.add({ what: '… silently wrong', value: String(verdicts.wrong), target: '0', met })
  return report.rows
}
