/**
 * Laws of edits on random documents, batches and stale bases. Law 1: what is answered is what a
 * naive reference on strings gives, what is read, and what a restarted store gives; a refusal
 * leaves everything as it was; a dry run says the same. Law 2: a block that is not named keeps its
 * id, its bytes and its authors; inserted text is the caller's, kept text its author's.
 * SEED=n repeats another run.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Tally } from '../../tally.ts'
import {
  type Item,
  LawWorld,
  type Read,
  writers,
} from '../../unit/core/documents/edits/edits-laws-world.ts'
import { isAlike, type Leeway } from './edits-alike.ts'
import { expected, spliced, withoutSurplus } from './edits-reference.ts'

const seed = Number(process.env['SEED'] ?? 20_261_123)
const runs = process.env['LONG'] ? 5_000 : 60

const blocks = [
  'alpha beta gamma delta',
  'one **bold words** and `code` end',
  '# Title of it',
  '- first item\n- second item\n  - nested item\n- third item',
  '1. uno\n2. dos\n3. tres',
  '> quoted text\n>\n> more of it',
  '| a | b |\n| --- | --- |\n| cell | other |\n| more | x \\| y |',
  '```js\nconst x = 1\n```',
  '---',
  'see [a link](https://x.y) and ![image](z) now',
  'soft\nbreak and hard\\\nbreak',
  'emoji 😀 and vector\\<int\\> &amp;amp; more',
  '<br />',
  '- [ ] task\n- [x] done',
  '* other\n* list',
]
const document = fc
  .array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 7 })
  .map((parts) => `${parts.join('\n\n')}\n`)

const inserted = fc.constantFrom(
  'QZ',
  'QZ QY',
  '',
  ' QZ ',
  '**QZ**',
  '\n\nQZ paragraph\n\n',
  '\n\nQZ',
  '\n\n- QZ',
  '\n\n- QZ\n\n',
  '\n- QZ',
  '\n1. QZ',
  '# QZ',
  '> QZ',
  '`QZ`',
  '|',
  '[QZ](y)',
  '```',
  '<br />',
  '<b>',
  '| QZ | QY |',
  '- QZ\n- QY',
)
const wish = fc.record({
  form: fc.constantFrom('replace', 'replace', 'at', 'after', 'before', 'between', 'end', 'start'),
  block: fc.constantFrom('', '', '', '', '', 'after', 'before', 'both', 'delete', 'move', 'move'),
  at: fc.nat(10_000),
  length: fc.integer({ min: 1, max: 30 }),
  other: fc.nat(10_000),
  insert: inserted,
})
const request = fc.record({
  wishes: fc.array(wish, { minLength: 1, maxLength: 4 }),
  isSingle: fc.constantFrom(true, true, false),
  writer: fc.nat(2),
  behind: fc.constantFrom(0, 0, 1, 2, 5),
  restart: fc.constantFrom(false, false, false, false, true),
})

type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never

/** The edit that an agent with this copy of the document would send. */
function editOf(copy: Read, wish: Wish, mark: number): Item {
  const { form, block, at, length, other } = wish
  // Letters that occur nowhere else, so that it can be told who wrote each.
  const own = String.fromCharCode(0x4e00 + 2 * mark, 0x4e01 + 2 * mark)
  const insert = wish.insert.replace(/Q[ZY]/g, own)
  const pick = (n: number) => copy.blocks[n % Math.max(1, copy.blocks.length)]?.id ?? null
  const new_string = insert
  if (block === 'delete') return { delete_block: pick(at) ?? 'bid_x' }
  if (block === 'move') return { move_block: pick(at) ?? 'bid_x', after_block: pick(other) }
  if (block === 'after') return { new_string, after_block: pick(at) }
  if (block === 'before') return { new_string, before_block: pick(at) }
  if (block === 'both') return { new_string, after_block: pick(at), before_block: pick(at + 1) }
  const from = at % Math.max(1, copy.markdown.length)
  const text = copy.markdown.slice(from, from + length) || 'none'
  if (form === 'replace') return { old_string: text, new_string }
  if (form === 'at') return { old_string: text, new_string, at: from }
  if (form === 'after') return { new_string, after: text }
  if (form === 'before') return { new_string, before: text }
  if (form === 'end') return { new_string, before: null }
  if (form === 'start') return { new_string, after: null }
  const next = copy.markdown.slice(from + length, from + length + 12) || 'none'
  return { new_string, after: text, before: next }
}

/** A splice of the text before that the edit stands for; undefined where ids decide. */
function spliceOf(now: Read, edit: Item): { from: number; to: number; insert: string } | undefined {
  const text = now.markdown
  const insert = String(edit['new_string'])
  // An escape or a reference is matched as a whole; this reference does not know them.
  const cutsUnit = (at: number, length: number) =>
    /[\\&]/.test(
      text.slice(Math.max(0, at - 6), at) + text.slice(Math.max(0, at + length - 6), at + length),
    )
  const only = (wanted: unknown): number => {
    const at = text.indexOf(String(wanted))
    if (at < 0 || text.indexOf(String(wanted), at + 1) >= 0) return -1
    return cutsUnit(at, String(wanted).length) ? -1 : at
  }
  if (typeof edit['old_string'] === 'string') {
    const given = typeof edit['at'] === 'number' ? edit['at'] : only(edit['old_string'])
    const at = cutsUnit(given, edit['old_string'].length) ? -1 : given
    return at < 0 ? undefined : { from: at, to: at + edit['old_string'].length, insert }
  }
  const { after, before } = edit
  if (typeof after === 'string') {
    const at = only(after)
    return at < 0 ? undefined : { from: at + after.length, to: at + after.length, insert }
  }
  if (typeof before !== 'string') return undefined
  const at = only(before)
  return at < 0 ? undefined : { from: at, to: at, insert }
}

/** The bytes of a block save list numbers and markers, which its neighbours decide. */
const said = (text: string): string => text.replace(/^(?:\d{1,9}[.)]|[-*]) +/gm, '')

/**
 * Letters of addresses, of a fence's info and of a ticked box are markup: their author is that of
 * what follows.
 */
function masked(text: string): (at: number) => boolean {
  const markup = [...text.matchAll(/!\[[^\]]*|\]\([^)]*\)|^`{3,}.*$|<br \/>|\[x\] /gm)]
  return (at) => markup.some(({ index, 0: all }) => index <= at && at < index + all.length)
}

/** Law 2 for one splice: all that lies apart from it is as before. */
function checkRest(
  before: Read,
  after: Read,
  splice: { readonly from: number; readonly to: number; readonly insert: string },
  context: string,
): number {
  let checked = 0
  const touches = ({ from, to }: { readonly from: number; readonly to: number }) =>
    from <= splice.to && splice.from <= to
  // Where lines come or go, what is nested beside them may change its level; a fence takes them.
  const lines = before.markdown.slice(splice.from, splice.to) + splice.insert
  const held =
    lines.includes('\n') || /^(?:[#>|-]|```)/.test(lines) ? before.blocks.filter(touches) : []
  const isHeld = (from: number, to: number) =>
    held.some((holder) => holder.from <= from && to <= holder.to)
  for (const { id, from, to } of before.blocks) {
    if (id === null || touches({ from, to }) || isHeld(from, to)) continue
    const now = after.blocks.find((block) => block.id === id)
    // Two lists that become one have one wrapper.
    const isList = /^(?:[-*]|\d+[.)]) /.test(before.markdown.slice(from, to))
    if (now === undefined && isList && splice.to > splice.from) continue
    assert.ok(now, `${id} is gone: ${context}`)
    const [old, kept] = [before.markdown.slice(from, to), after.markdown.slice(now.from, now.to)]
    if (said(old) !== said(kept)) {
      // A list that another list joins, and one that is loosened by it, still has all its lines.
      const lines = (text: string) => said(text).replace(/\n\n/g, '\n')
      const isJoined = lines(kept).includes(lines(old))
      assert.ok(isJoined || old === '' || old === '<br />', `${old}\n->\n${kept}\n${context}`)
    } else if (old === kept) {
      const authors = (read: Read, at: number) => read.authors.slice(at, at + old.length)
      const words = [...old].some((char) => /\p{L}/u.test(char))
      if (words) {
        const [was, is] = [authors(before, from), authors(after, now.from)]
        const isMarkup = masked(old)
        for (const [index, char] of old.split('').entries()) {
          if (/\p{L}/u.test(char) && !isMarkup(index))
            assert.is(is[index], was[index], `${index} of ${old}: ${context}`)
        }
      }
    }
    checked++
  }
  return checked
}

/**
 * Law 2 inside the touched blocks: kept letters keep their authors, the caller's are the caller's.
 */
function checkAuthors(
  before: Read,
  after: Read,
  splice: { readonly from: number; readonly to: number; readonly insert: string },
  { actor, context }: { readonly actor: string; readonly context: string },
): void {
  const naive =
    before.markdown.slice(0, splice.from) + splice.insert + before.markdown.slice(splice.to)
  const isProse = (text: string) => /^[\p{L}\p{N}\s>.-]*$/u.test(text)
  if (naive !== after.markdown) return
  // Of a word that a line end divides each part is a new word (extensions §13).
  const isDivided = (at: number): boolean =>
    (splice.insert + before.markdown.slice(splice.from, splice.to)).includes('\n') &&
    isInOneWord(before.markdown, at < splice.from ? [at, splice.from] : [splice.to, at])
  if (!isProse(splice.insert) || !isProse(before.markdown.slice(splice.from, splice.to))) return
  const [isMarkup, isMarkupNow] = [masked(before.markdown), masked(after.markdown)]
  const isLetter = (at: number) => /\p{L}/u.test(after.markdown.charAt(at))
  const shift = splice.insert.length - (splice.to - splice.from)
  for (let at = 0; at < after.markdown.length; at++) {
    if (!isLetter(at) || isMarkupNow(at)) continue
    const isInserted = at >= splice.from && at < splice.from + splice.insert.length
    if (isInserted) {
      if (after.markdown.charAt(at) >= '\u4e00') assert.is(after.authors[at], actor, context)
      continue
    }
    const was = at < splice.from ? at : at - shift
    if (isMarkup(was) || isDivided(was)) continue
    assert.is(after.authors[at], before.authors[was], `${at}: ${context}`)
  }
}

/** Whole lines that are deleted take blank lines along. */
function leewayOf({ markdown }: Read, edits: readonly Item[]): Leeway {
  const blankLines = edits.some(({ old_string: old, new_string: insert, at }) => {
    if (insert !== '' || typeof old !== 'string') return false
    const words = old.trim()
    const start = typeof at === 'number' ? at : Math.max(0, markdown.indexOf(old))
    const from = start + old.length - old.trimStart().length
    const isAtStart = /(?:^|\n)[ >]*$/.test(markdown.slice(0, from))
    return isAtStart && /^ *(?:\n|$)/.test(markdown.slice(from + words.length))
  })
  return { blankLines }
}

const isInOneWord = (text: string, [from, to]: readonly [number, number]): boolean =>
  /^[\p{L}\p{N}]*$/u.test(text.slice(from, to))

/** Forms by their fields, so that it can be seen which the reference has judged. */
const kindOf = (edit: Item, isStale: boolean): string => {
  const fields = Object.keys(edit).filter((name) => name !== 'new_string')
  return [...fields.sort(), ...(isStale ? ['stale'] : [])].join('+')
}

test('laws 1 and 2 hold for random documents, batches and stale bases', async () => {
  const tally = new Tally()
  const forms = new Tally()
  const codes = new Tally()
  const property = fc.asyncProperty(
    document,
    fc.array(request, { minLength: 2, maxLength: 8 }),
    async (markdown, requests) => {
      const world = await LawWorld.of(markdown)
      const copies: Read[] = [await world.read()]
      let mark = 0
      for (const { wishes, isSingle, writer: who, behind, restart } of requests) {
        const writer = writers[who] as (typeof writers)[number]
        const before = await world.read()
        const copy = copies.at(-1 - Math.min(behind, copies.length - 1)) as Read
        const edits = wishes.slice(0, isSingle ? 1 : 4).map((one) => editOf(copy, one, ++mark))
        const made = await world.patch({ edits, baseRevision: copy.revision, writer })
        const after = await world.read()
        const context = `${JSON.stringify([edits, copy.revision, before.revision])}\n${before.markdown}\n=>\n${after.markdown}`
        const [edit] = edits
        tally.add(made.ok ? 'made' : 'refused')
        if (!made.ok) codes.add(String(made.code))
        if (made.fields['rebased'] === true) tally.add('rebased')
        if (made.ok) {
          const results = made.fields['edits'] as { ok: boolean }[] | undefined
          const isMade = edits.map((_, index) => results?.[index]?.ok ?? true)
          const told = expected({ base: copy, now: before, edits, made: isMade })
          if (told !== undefined) {
            if (!isAlike(told, after.markdown, leewayOf(before, edits)))
              assert.is(after.markdown, told, context)
            for (const one of edits) forms.add(kindOf(one, copy.revision < before.revision))
            if (edits.length > 1) tally.add('batches')
          }
        }
        const splice = edits.length === 1 && edit ? spliceOf(before, edit) : undefined
        const isPlain = copy.revision === before.revision || typeof edit?.['after'] !== 'string'
        if (made.ok && splice && isPlain) {
          const isReplaced = edit?.['old_string'] !== undefined
          const naive = spliced(
            before.markdown,
            isReplaced ? splice : withoutSurplus(before.markdown, splice),
          )
          if (naive !== undefined) {
            if (!isAlike(naive, after.markdown, leewayOf(before, edits)))
              assert.is(after.markdown, naive, context)
            tally.add('references')
            if (/^(?:[-*]|\d+[.)]) /m.test(splice.insert)) tally.add('new items')
          }
          tally.add('rest', checkRest(before, after, splice, context))
          checkAuthors(before, after, splice, { actor: writer.actor, context })
        }
        if (after.revision !== before.revision) copies.push(after)
        if (restart) await world.restart()
      }
      await world.documents.close()
    },
  )
  await fc.assert(property, { seed, numRuns: runs })
  tally.tell(`${seed} laws of edits`, {
    made: runs,
    references: runs / 4,
    'new items': runs / 30,
    rebased: runs / 10,
    rest: runs,
    batches: runs / 20,
  })
  forms.tell(`${seed} laws of edits, forms`, {})
  codes.tell(`${seed} laws of edits, refusals`, {})
  assert.ok(codes.kinds > 10 && forms.kinds > 11, `${codes.kinds} codes, ${forms.kinds} forms`)
})

test.run()
