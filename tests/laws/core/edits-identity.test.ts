/**
 * Law 2 where levels change: a block whose words stay is the same block, with its id and its
 * authors, whatever becomes of the blocks around it: items in and out, headings of another level,
 * paragraphs that become items or headings and back, quotes put around and taken off.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { Tally } from '../../tally.ts'
import {
  type Item,
  LawWorld,
  type Read,
  writers,
} from '../../unit/core/documents/edits/edits-laws-world.ts'

const seed = 20_261_124
const runs = process.env['LONG'] ? 5_000 : 30

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Words that occur nowhere else, some of them short. */
const wordOf = (n: number): string =>
  `${letters[n % 26]}${letters[Math.floor(n / 26) % 26]}${'xyz'.slice(0, n % 4)}`

const shapes = [
  ['@'],
  ['# @'],
  ['## @ @'],
  ['- @', '- @ @', '  - @', '  - @', '- @'],
  ['- @', '', '- @ @', '', '  @'],
  ['1. @', '2. @', '   - @', '3. @'],
  ['> @', '>', '> @'],
  ['> - @', '> - @'],
  ['@ @ @'],
]
const document = fc
  .array(fc.constantFrom(...shapes), { minLength: 2, maxLength: 6 })
  .map((parts) => {
    let count = 0
    const text = parts.map((lines) => lines.join('\n')).join('\n\n')
    return `${text.replace(/@/g, () => wordOf(count++))}\n`
  })

const prefix = fc.constantFrom('', '', '# ', '### ', '- ', '  - ', '> ', '> - ', '1. ', '  ')
const wish = fc.record({
  from: fc.nat(40),
  count: fc.constantFrom(1, 1, 1, 2, 3, 8),
  prefix,
  // Behind what stands there, or in its place.
  adds: fc.boolean(),
  blank: fc.boolean(),
  form: fc.constantFrom('at', 'at', 'document'),
  move: fc.constantFrom(0, 0, 3, -3),
  writer: fc.nat(2),
})

type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never

const leadOf = (line: string): string => /^(?:[ \t>#]|[-*] |\d+[.)] )*/.exec(line)?.[0] ?? ''

/** Lines get other markers, or all markers fewer; words stay. */
function editOf({ markdown }: Read, asked: Wish): Item {
  const lines = markdown.replace(/\n$/, '').split('\n')
  const from = asked.from % lines.length
  const touched = lines.slice(from, from + asked.count)
  const changed = touched.map((line) => {
    if (line.trim() === '') return line
    // Behind the marker of a heading other markers are words.
    const adds = asked.adds && !asked.prefix.startsWith('#')
    return asked.prefix + (adds ? line : line.slice(leadOf(line).length))
  })
  // Blocks move, or become one, not both at once.
  const glue = asked.blank || (asked.form === 'document' && asked.move !== 0) ? '\n\n' : '\n'
  if (asked.form === 'at') {
    const at = lines.slice(0, from).join('\n').length + (from > 0 ? 1 : 0)
    return { old_string: touched.join('\n'), new_string: changed.join(glue), at }
  }
  const rest = lines.toSpliced(from, asked.count)
  const to = Math.max(0, Math.min(rest.length, from + asked.move))
  const moved = asked.move === 0 ? changed : ['', ...changed, '']
  return { replace_document: `${rest.toSpliced(to, 0, moved.join(glue)).join('\n')}\n` }
}

interface Stand {
  /** Of the textblock and of the item it is in, if any. */
  readonly block: string | null
  readonly authors: string
}

const hasCode = (markdown: string): boolean => {
  const doc = documentSchema.node('doc', null, [...parseMarkdown(markdown).children])
  let found = false
  doc.descendants(({ type }) => {
    found ||= type.spec.code === true
  })
  return found
}

/** Where each word stands: in the smallest block around it. */
function wordsIn(read: Read): Map<string, Stand> {
  const found = new Map<string, Stand>()
  for (const { index, 0: word } of read.markdown.matchAll(/[a-z]+/g)) {
    const around = read.blocks.filter(({ from, to }) => from <= index && index < to)
    const block = around.at(-1)?.id ?? null
    found.set(word, { block, authors: read.authors.slice(index, index + word.length).join() })
  }
  return found
}

test('law 2: a block whose words stay keeps its id and its authors at any level', async () => {
  const tally = new Tally()
  const property = fc.asyncProperty(
    document,
    fc.array(wish, { minLength: 1, maxLength: 6 }),
    async (markdown, wishes) => {
      const world = await LawWorld.of(markdown)
      for (const asked of wishes) {
        const before = await world.read()
        const edit = editOf(before, asked)
        const writer = writers[asked.writer] as (typeof writers)[number]
        const { ok } = await world.patch({ edits: [edit], baseRevision: before.revision, writer })
        if (!ok) continue
        tally.add('edits')
        const after = await world.read()
        const [was, is] = [wordsIn(before), wordsIn(after)]
        const context = `${JSON.stringify(edit)}\n${before.markdown}\n=>\n${after.markdown}`
        const torn = edit['replace_document'] === undefined ? new Set() : tornWords(was, is)
        for (const [word, { authors }] of was) {
          if (torn.has(word)) continue
          assert.is(is.get(word)?.authors, authors, `author of ${word}: ${context}`)
        }
        // In code markers are words: what comes out of it by its letters says something else.
        if (hasCode(before.markdown) || hasCode(after.markdown)) continue
        for (const block of blocksOf(was)) {
          const now = new Set(block.words.map((word) => is.get(word)?.block))
          // Words of one block that went apart are several blocks; of two that joined, one of them.
          const isWhole = now.size === 1 && blocksOf(is).some((one) => sameWords(one, block))
          if (!isWhole) continue
          tally.add('blocks kept')
          assert.is([...now][0], block.id, `id of ${block.words}: ${context}`)
        }
      }
      await world.documents.close()
    },
  )
  await fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} ids under changes of level`, { edits: runs, 'blocks kept': 5 * runs })
})

interface Block {
  readonly id: string | null
  readonly words: readonly string[]
}

function blocksOf(words: ReadonlyMap<string, Stand>): Block[] {
  const blocks = new Map<string | null, string[]>()
  for (const [word, { block }] of words) {
    const own = blocks.get(block)
    if (own) own.push(word)
    else blocks.set(block, [word])
  }
  return [...blocks].map(([id, own]) => ({ id, words: own }))
}

/**
 * Words of blocks that went apart while a part of them joined another block: of words that cross
 * others in a whole new text the contract does not say which were kept and which were written.
 */
function tornWords(was: ReadonlyMap<string, Stand>, is: ReadonlyMap<string, Stand>): Set<string> {
  const next = new Map(blocksOf(is).map(({ id, words }) => [id, words]))
  const torn = blocksOf(was).filter(({ words }) => {
    const now = new Set(words.map((word) => is.get(word)?.block ?? null))
    const joins = [...now].some((id) => next.get(id)?.some((word) => !words.includes(word)))
    return now.size > 1 && joins
  })
  return new Set(torn.flatMap(({ words }) => words))
}

const sameWords = (a: Block, b: Block): boolean => a.words.join() === b.words.join()

test('an item that comes before an equal one stands before it, in the text and in the tree', async () => {
  const world = await LawWorld.of('1. uno\n2. dos\n')
  const [first, second] = writers as readonly [(typeof writers)[number], (typeof writers)[number]]
  const before = await world.read()
  const item = before.blocks.find(({ from, to }) => from === 0 && to === '1. uno'.length)?.id
  const edits = [{ new_string: '1. uno', before_block: item }]
  await world.patch({ edits, baseRevision: before.revision, writer: second })
  const { markdown, blocks, authors } = await world.read()
  assert.is(markdown, '1. uno\n2. uno\n3. dos\n')
  assert.is(blocks.find(({ id }) => id === item)?.from, markdown.indexOf('2. uno'))
  assert.equal(
    ['uno', '2. uno'].map((words) => authors[markdown.indexOf(words) + words.length - 1]),
    [second.actor, first.actor],
  )
  await world.documents.close()
})

test('a short block that repeats a deleted one is new, one that a new text moves is not', async () => {
  const world = await LawWorld.of('no\n\nyes\n\nmaybe\n')
  const [first, second] = writers as readonly [(typeof writers)[number], (typeof writers)[number]]
  const patch = async (edit: Item): Promise<Read> => {
    const { revision } = await world.read()
    await world.patch({ edits: [edit], baseRevision: revision, writer: second })
    return world.read()
  }
  const by = (read: Read, words: string) => wordsIn(read).get(words)?.authors
  const author = (actor: string, words: string) => [...words].map(() => actor).join()
  const moved = await patch({ replace_document: 'yes\n\nno\n\nmaybe\n' })
  assert.is(by(moved, 'yes'), author(first.actor, 'yes'))
  await patch({ delete_block: wordsIn(moved).get('yes')?.block })
  const again = await patch({ before: null, new_string: '\n\nyes' })
  assert.is(by(again, 'yes'), author(second.actor, 'yes'))
  assert.is.not(wordsIn(again).get('yes')?.block, wordsIn(moved).get('yes')?.block)
  await world.documents.close()
})

test.run()
