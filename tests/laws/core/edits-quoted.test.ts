/**
 * An agent quotes the file that it knows, not the form that the service keeps. The law: an edit
 * quoted from an original with other markers gives what editing the original and creating it gives,
 * or is refused. It is never something else.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planEdits } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import { Refusal } from '../../../schema/errors.ts'
import { DocumentText } from '../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { Chance, seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'
import { bot } from '../../unit/core/documents/edits/edits-fixture.ts'

const seeds = seedsOf(20_261_128, process.env['LONG'] ? 20_000 : 300)

const canonical = (markdown: string): string =>
  DocumentText.of(parseMarkdown(markdown).children).toString()

/** The items behind one that comes new are numbered anew; a file that is edited by hand is not. */
const withoutNumbers = (markdown: string): string =>
  markdown.replace(/^([ >]*)\d+(?=[.)] )/gm, '$1')

/** A document of lists, headings, quotes and code whose words are each there once. */
class Original {
  readonly #chance: Chance
  readonly lines: string[] = []
  #words = 0

  constructor(chance: Chance) {
    this.#chance = chance
    const count = chance.between(1, 4)
    for (let block = 0; block < count; block++) {
      if (block > 0) this.lines.push('')
      this.#addBlock()
    }
  }

  word(): string {
    this.#words++
    return `word${String.fromCharCode(97 + (this.#words % 26))}${this.#words}`
  }

  #addBlock(): void {
    const kind = this.#chance.below(6)
    if (kind === 0) this.lines.push(this.word())
    else if (kind === 1) this.lines.push(`${'#'.repeat(this.#chance.between(1, 4))} ${this.word()}`)
    else if (kind === 2) this.lines.push(`> ${this.word()}`)
    else this.#addList('', 0)
  }

  #addList(indent: string, depth: number): void {
    const isNumbered = this.#chance.happens(0.3)
    const sign = this.#chance.oneOf(isNumbered ? [')', '.'] : ['*', '+', '-'])
    const count = this.#chance.between(1, 4)
    for (let item = 1; item <= count; item++) {
      const marker = isNumbered ? `${item}${sign}` : sign
      const box = this.#chance.happens(0.15) ? this.#chance.oneOf(['[ ] ', '[x] ']) : ''
      this.lines.push(`${indent}${marker} ${box}${this.word()}`)
      const inner = `${indent}${' '.repeat(marker.length + 1)}`
      if (depth < 2 && this.#chance.happens(0.25)) this.#addList(inner, depth + 1)
    }
  }
}

/** One to three lines of the original, and what its writer puts in their place. */
function editOf(original: Original, chance: Chance) {
  const { lines } = original
  const first = chance.below(lines.length)
  const last = Math.min(lines.length - 1, first + chance.below(3))
  const old = lines.slice(first, last + 1)
  const now = old.map((line) =>
    chance.happens(0.6) ? line.replace(/word\w+$/, () => `${original.word()}!`) : line,
  )
  const at = chance.below(now.length)
  const isItem = /^\s*(?:[-*+]|\d+[.)]) /.test(now[at] ?? '')
  if (isItem && chance.happens(0.4)) {
    const more = (now[at] ?? '').replace(/word.*$/, () => original.word())
    now.splice(
      at + 1,
      0,
      more.replace(/\d+(?=[.)])/, (number) => String(Number(number) + 1)),
    )
  }
  const strip = chance.happens(0.7) ? /^\s+/ : /^/
  const edited = [...lines.slice(0, first), ...now, ...lines.slice(last + 1)]
  return {
    old: old.join('\n').replace(strip, ''),
    now: now.join('\n').replace(strip, ''),
    edited: edited.join('\n'),
  }
}

test('an edit quoted from the original with other markers is right or refused', () => {
  const tally = new Tally()
  for (const seed of seeds) {
    const chance = new Chance(seed)
    const original = new Original(chance)
    const { old, now, edited } = editOf(original, chance)
    if (old.trim() === '' || old === now) continue
    const markdown = `${original.lines.join('\n')}\n`
    const text = DocumentText.of(parseMarkdown(markdown).children)
    const edits = readEdits([{ old_string: old, new_string: now }])
    try {
      const got = planEdits({ text, edits, actor: bot, revision: 1 }).text.toString()
      const said = JSON.stringify({ seed, markdown, old, now })
      assert.is(withoutNumbers(got), withoutNumbers(canonical(`${edited}\n`)), said)
      tally.add('right')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      tally.add('refused')
      tally.add(`refused ${error.code}`)
    }
  }
  const tried = tally.of('right') + tally.of('refused')
  const least = seeds.length > 1 ? { right: Math.floor(tried * 0.85) } : {}
  tally.tell(`${seeds[0]} edits quoted from the original`, least)
})

test.run()
