/**
 * The laws of spelling: a document keeps the markdown that people wrote. Reading and printing
 * settle in one pass, for generated markdown and for the files of the installed packages; what is
 * printed is read as the same document, its spelling with it; a word that is changed in a file
 * changes its own bytes alone; and the examples of the specifications come back as they are, or
 * are listed here with the reason. SEED=n and RUNS=n repeat another run.
 */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { created, fileText, markdownFiles, randomFrom } from '../../../bench/markdown-files.ts'
import { planEdits } from '../../../core/documents/edits/plan/plan.ts'
import { documentSchema } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import { unattributed } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import { normalize } from '../../../schema/markdown/normalize.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { Tally } from '../../tally.ts'
import { commonMarkExamples } from './markdown-corpus.ts'
import { gfmExamples } from './markdown-gfm-examples.ts'
import { spelledMarkdown } from './spelled-markdown.ts'

const seed = Number(process.env['SEED'] ?? 20_261_129)
const runs = Number(process.env['RUNS'] ?? (process.env['LONG'] === undefined ? 300 : 5_000))

test('generated markdown settles in one pass, its spelling with it', () => {
  const tally = new Tally()
  fc.assert(
    fc.property(spelledMarkdown, (markdown) => {
      const document = parseMarkdown(markdown)
      const printed = printDocument(document)
      const again = parseMarkdown(printed)
      assert.is(printDocument(again), printed, JSON.stringify(markdown))
      assert.ok(again.eq(document), `${JSON.stringify(markdown)}\n${again}\n${document}`)
      tally.add(printed === settled(markdown) ? 'same bytes' : 'other bytes')
    }),
    { seed, numRuns: runs, endOnFailure: true },
  )
  tally.tell(`${seed} generated markdown settles`, { 'same bytes': 0.9 * runs })
})

/** Line ends at the end of a text are not kept. */
const settled = (markdown: string): string => `${markdown.replace(/\n+$/, '')}\n`

interface File {
  readonly name: string
  readonly text: string
  readonly document: DocumentText
}

/** Larger files only in the long run. */
const fileMaxChars = process.env['LONG'] === undefined ? 60_000 : 1_000_000

/** Each text once. */
function* files(): Generator<File> {
  const root = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  const seen = new Set<string>()
  for (const path of [...markdownFiles(root)].sort()) {
    const text = fileText(path)
    if (text === undefined || text.length > fileMaxChars || seen.has(text)) continue
    seen.add(text)
    const document = created(text)
    if (document) yield { name: path.slice(join(root, '/').length), text, document }
  }
}

test('files that somebody wrote settle, nearly all byte by byte', () => {
  const tally = new Tally()
  for (const { name, text, document } of files()) {
    const printed = document.toString()
    const again = created(printed)
    assert.is(again?.toString(), printed, name)
    const [before, after] = [document, again].map(
      (one) => one && documentSchema.topNodeType.create(null, nodesOf(one)),
    )
    assert.ok(before && after && normalize(before).eq(normalize(after)), name)
    // What cannot be printed as it was written (a surplus cell, control characters) is forgotten.
    if (before.eq(after)) tally.add('same spelling')
    tally.add('files')
    if (printed === text) tally.add('same bytes')
  }
  const [all, same] = [tally.of('files'), tally.of('same bytes')]
  assert.ok(tally.of('same spelling') >= 0.99 * all, `${tally.of('same spelling')} of ${all}`)
  assert.ok(same >= 0.95 * all, `${same} of ${all} files keep their bytes`)
  tally.tell('none files settle', { files: 200 })
})

const nodesOf = (text: DocumentText) =>
  Array.from({ length: text.blockCount }, (_, index) => text.node(index))

test('a word that is changed in a file changes its own bytes alone', () => {
  const tally = new Tally()
  const random = randomFrom(seed)
  for (const { name, document } of files()) {
    const text = document.toString()
    for (let count = 0; count < 2; count++) {
      const wish = oneWord(text, random)
      if (wish === undefined) continue
      const { from, to, oldString, newString } = wish
      const edits = [{ form: 'replace' as const, oldString, newString }]
      const asked = { text: document, revision: 1, baseRevision: 1, edits, actor: unattributed }
      try {
        const made = planEdits(asked).text.toString()
        assert.is(made, `${text.slice(0, from)}${word}${text.slice(to)}`, `${name} ${oldString}`)
        tally.add('changed')
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        tally.add('refused')
      }
    }
  }
  assert.ok(tally.of('changed') > 50 * tally.of('refused'), `${tally.of('refused')} are refused`)
  tally.tell(`${seed} words of files`, { changed: 300 })
})

const word = 'Zebra'

/** Some word outside tags, quoted with the line that it stands in. */
function oneWord(text: string, random: (below: number) => number) {
  const lines = text.split('\n')
  const index = random(lines.length)
  const line = lines[index] ?? ''
  const words = [...line.matchAll(/\p{L}{3,}(?![^<>]*>)/gu)]
  const one = words[random(Math.max(1, words.length))]
  const start = lines.slice(0, index).join('\n').length + Math.min(1, index)
  if (one === undefined || text.indexOf(line) !== start || text.includes(line, start + 1)) return
  const [from, to] = [one.index, one.index + one[0].length]
  const newString = line.slice(0, from) + word + line.slice(to)
  return { from: start + from, to: start + to, oldString: line, newString }
}

/** Why an example does not come back byte by byte, by the numbers of CommonMark 0.31.2. */
const commonMarkReasons: Readonly<Record<string, readonly number[]>> = {
  'code is indented by four blanks or by one tab in all its lines': [2, 5, 6, 7, 8, 117],
  'what is never closed is closed, lest it swallow what comes behind it': [126, 127, 128, 173, 237],
  'fences, and code between them, are indented alike': [131, 132, 133, 136, 137],
  'tildes that only begin a fence': [139],
  'words that look like tags are escaped': [163, 201, 613],
  'what goes on with a block lazily does not begin another one': [93, 238, 249],
  'blank lines at the end of a text, in a quote or an item that is empty are not kept': [227, 240],
  'text right below a definition gets a blank line': [210],
  'all lines of a quote begin alike': [229, 230, 251, 259, 260, 293],
  'an item begins with text in its first line, or is empty': [278, 279, 280, 282],
  'items of one list are indented alike, or as the first one': [295, 310, 311, 312],
  'a link that shows nothing and leads nowhere': [487],
}

test('the examples of CommonMark come back byte by byte, or are listed', () => {
  const listed = new Set(Object.values(commonMarkReasons).flat())
  const changed = commonMarkExamples().flatMap(({ markdown }, index) =>
    printDocument(parseMarkdown(markdown)) === settled(markdown) ? [] : [index + 1],
  )
  assert.equal(
    changed,
    [...listed].sort((a, b) => a - b),
  )
})

/** The same of GFM, by their place in the list of its examples. */
const gfmReasons: Readonly<Record<string, readonly number[]>> = {
  'a row with more cells than the header is refused': [6],
  'a task is text': [42],
  'a task begins with text in its first line': [43],
}

test('the examples of GFM come back byte by byte, or are listed', () => {
  const changed = gfmExamples.flatMap((markdown, index) => {
    try {
      return printDocument(parseMarkdown(markdown)) === settled(markdown) ? [] : [index]
    } catch (error) {
      if (error instanceof Refusal) return [index]
      throw error
    }
  })
  assert.equal(changed, Object.values(gfmReasons).flat())
})

test.run()
