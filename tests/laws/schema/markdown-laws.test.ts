/**
 * The laws of markdown on real text, as it was written and in the canonical form: (a) what is
 * printed is a fixed point, (b) it says the normalized document, and (c) it renders as the original
 * did. The prints tell how many samples each law holds for, and how many come back byte by byte.
 * LONG=1: every document of the installed packages, not every second.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Refusal } from '../../../schema/errors.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { readMarkdown } from '../../../schema/markdown/read-markdown.ts'
import { checkLaws } from '../../unit/schema/markdown/markdown-check.ts'
import { commonMarkExamples, packageDocuments, type Sample } from './markdown-corpus.ts'
import { gfmExamples } from './markdown-gfm-examples.ts'
import { rendering } from './markdown-rendering.ts'

interface Held {
  readonly samples: number
  readonly rendered: number
  readonly canonicalRendered: number
  readonly sameBytes: number
  readonly refused: number
}

function hold(title: string, samples: readonly Sample[]): Held {
  let rendered = 0
  let sameBytes = 0
  let canonicalRendered = 0
  let refused = 0
  for (const { name, markdown } of samples) {
    const kept = printed(markdown, parseMarkdown, name)
    const canonical = printed(markdown, readMarkdown, name)
    if (kept === undefined || canonical === undefined) {
      refused++
      continue
    }
    if (rendering(markdown) === rendering(kept)) rendered++
    else if (process.env['SHOW']) console.log(`${name}\n${difference(markdown, kept)}`)
    if (rendering(markdown) === rendering(canonical)) canonicalRendered++
    if (settled(markdown) === kept) sameBytes++
    else if (process.env['SHOW']) console.log(`${name}\n${firstDifference(markdown, kept)}`)
  }
  const { length } = samples
  console.log(
    `\nseed none ${title}: ${length} samples, refused ${refused}, (c) ${rendered}, ` +
      `canonical (c) ${canonicalRendered}, same bytes ${sameBytes}`,
  )
  return { samples: length, rendered, canonicalRendered, sameBytes, refused }
}

/** What a text is printed as when it was read this way; undefined where it is refused. */
function printed(markdown: string, read: typeof parseMarkdown, name: string): string | undefined {
  try {
    const doc = read(markdown)
    doc.check()
    checkLaws(doc)
    return printDocument(doc)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw new Error(`${name}\n${markdown.slice(0, 500)}`, { cause: error })
  }
}

/** As it is kept: line ends, a byte order mark and the end of the text aside. */
function settled(markdown: string): string {
  const text = markdown.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const end = text.trimEnd()
  return end === '' ? '' : `${text.slice(0, text.lastIndexOf(end.slice(-1)) + 1)}\n`
}

function firstDifference(markdown: string, kept: string): string {
  const [before, after] = [settled(markdown), kept].map((text) => text.split('\n'))
  const at = before?.findIndex((line, index) => line !== after?.[index]) ?? 0
  return `  < ${JSON.stringify(before?.slice(at, at + 2))}\n  > ${JSON.stringify(after?.slice(at, at + 2))}`
}

function difference(markdown: string, canonical: string): string {
  const before = rendering(markdown).split('\n')
  const after = rendering(canonical).split('\n')
  const at = before.findIndex((line, i) => line !== after[i])
  return `  - ${before[at]?.slice(0, 300)}\n  + ${after[at]?.slice(0, 300)}`
}

test('the CommonMark 0.31.2 examples', () => {
  const held = hold('CommonMark 0.31.2', commonMarkExamples())
  assert.is(held.samples, 652)
  assert.ok(held.rendered >= 632, `${held.rendered} render alike`)
})

test('the examples of the GFM extensions', () => {
  const samples = gfmExamples.map((markdown, i) => ({ name: `GFM example ${i}`, markdown }))
  const held = hold('GFM extensions', samples)
  assert.ok(held.samples >= 52)
  assert.ok(held.rendered >= held.samples - 2, `${held.rendered} render alike`)
})

test('the documents of the installed packages', () => {
  const every = process.env['LONG'] ? 1 : 2
  const documents = packageDocuments().filter((_, index) => index % every === 0)
  const held = hold('package documents', documents)
  assert.ok(held.samples >= 200, `only ${held.samples} different files under node_modules`)
  assert.ok(held.rendered >= 0.97 * held.samples, `${held.rendered} render alike`)
})

test.run()
