/**
 * The laws of canonical markdown on real text: (a) it is a fixed point, (b) it says the normalized
 * document, and (c) it renders as the original did. The prints tell how many samples each law holds
 * for.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { printDocument } from '../../../schema/markdown/printer.ts'
import { checkLaws, checkPrinted } from '../../unit/schema/markdown-check.ts'
import { commonMarkExamples, packageDocuments, type Sample } from './markdown-corpus.ts'
import { gfmExamples } from './markdown-gfm-examples.ts'
import { rendering } from './markdown-rendering.ts'

interface Held {
  readonly samples: number
  readonly rendered: number
  readonly sameBytes: number
}

function hold(title: string, samples: readonly Sample[]): Held {
  let rendered = 0
  let sameBytes = 0
  for (const { name, markdown } of samples) {
    const doc = parseMarkdown(markdown)
    const canonical = printDocument(doc)
    try {
      doc.check()
      checkLaws(doc)
      checkPrinted(doc, canonical)
      assert.is(printDocument(parseMarkdown(canonical)), canonical)
    } catch (error) {
      throw new Error(`${name}\n${markdown.slice(0, 500)}`, { cause: error })
    }
    if (rendering(markdown) === rendering(canonical)) rendered++
    else if (process.env['SHOW']) console.log(`${name}\n${difference(markdown, canonical)}`)
    if (markdown === canonical) sameBytes++
  }
  const { length } = samples
  console.log(
    `\nseed none ${title}: ${length} samples, (a) ${length} (b) ${length} (c) ${rendered}`,
  )
  return { samples: length, rendered, sameBytes }
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
  const held = hold('package documents', packageDocuments())
  assert.ok(held.samples >= 200, `only ${held.samples} different files under node_modules`)
  assert.ok(held.rendered >= 0.97 * held.samples, `${held.rendered} render alike`)
})

test.run()
