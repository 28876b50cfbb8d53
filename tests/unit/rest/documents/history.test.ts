/**
 * The history over real sockets (interface §2.7, §4.11; extensions §12). The law of the past plays
 * many small edits by two people, holds what each read said, and then asks for all of it again.
 * SEED=… repeats one.
 */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance, seedsOf } from '../../../chance.ts'
import { type Created, startService } from '../service.ts'

const service = await startService()
test.after(() => service.close())

interface Run {
  readonly from: number
  readonly to: number
  readonly author: string
}

const get = async ({ slug, token }: Created, path: string) =>
  service.call('GET', `/docs/${slug}${path}`, { token })

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

const perUnit = (runs: readonly Run[]): string[] =>
  runs.flatMap(({ from, to, author }) => Array<string>(to - from).fill(author))

interface Block {
  readonly id: string | null
  readonly quote: string
  readonly range: { readonly from: number; readonly to: number }
}

async function authored(made: Created) {
  const { json } = await get(made, '?include=authorship,block_quotes')
  return {
    revision: Number(json['revision']),
    markdown: String(json['markdown']),
    authorship: json['authorship'] as Run[],
    blocks: json['content_blocks'] as Block[],
  }
}

type Read = Awaited<ReturnType<typeof authored>>

/** The document's owner of words: two writers by tokens of the same document. */
async function writers(made: Created): Promise<string[]> {
  const read = await service.call('GET', `/docs/${made.slug}?docs`, { token: made.shareToken })
  const token = String(read.json['your_token'])
  const body = { display_name: 'Bob', slug: made.slug }
  await service.call('POST', '/agents/identify', { token, body })
  return [made.token, token]
}

const blockTexts = [
  'plain words here',
  '# A heading',
  '- one\n- two *soft*',
  '> quoted **bold** words',
  '```js\nlet a = 1\n```',
  '---',
  'a [link](https://example.org) and aa aa',
]

async function step(made: Created, token: string, chance: Chance): Promise<void> {
  const { json } = await get(made, '')
  const markdown = String(json['markdown'])
  const base_revision = Number(json['revision'])
  const blocks = markdown.trim() === '' ? [] : markdown.trimEnd().split('\n\n')
  const kind = chance.below(4)
  const at = chance.below(Math.max(1, blocks.length))
  if (kind === 0) blocks.splice(at, 0, chance.oneOf(blockTexts))
  else if (kind === 1 && blocks.length > 1) blocks.splice(at, 1)
  else {
    const block = blocks[at] ?? ''
    const cut = chance.below(block.length + 1)
    blocks[at] = `${block.slice(0, cut)}${chance.oneOf(['x', 'aa', ' word '])}${block.slice(cut)}`
  }
  const body = { replace_document: blocks.join('\n\n'), base_revision }
  const { status, text } = await service.call('PATCH', `/docs/${made.slug}`, { token, body })
  assert.ok(status === 200 || status === 422, text)
}

/** Somebody takes a word out, and somebody else types it again: it is theirs from then on. */
async function retype(made: Created, tokens: readonly string[], chance: Chance): Promise<void> {
  const { json } = await get(made, '')
  const markdown = String(json['markdown'])
  const found = chance.pick([...markdown.matchAll(/(?<= )[a-z]{3,}(?= )/g)])
  if (found === undefined) return
  const first = chance.below(tokens.length)
  const without = markdown.slice(0, found.index) + markdown.slice(found.index + found[0].length)
  for (const [index, replace_document] of [without, markdown].entries()) {
    const now = await get(made, '')
    const body = { replace_document, base_revision: now.json['revision'] }
    const token = tokens[(first + index) % tokens.length]
    await service.call('PATCH', `/docs/${made.slug}`, { token, body })
  }
}

function applied(old: string, changes: Record<string, unknown>[]): string {
  let [text, done] = ['', 0]
  const gone = changes.filter(({ kind }) => kind === 'delete')
  for (const { from, text: words } of gone) {
    assert.is(old.slice(Number(from), Number(from) + String(words).length), words)
    text += old.slice(done, Number(from))
    done = Number(from) + String(words).length
  }
  text += old.slice(done)
  for (const { to, text: words } of changes.filter(({ kind }) => kind === 'insert')) {
    text = text.slice(0, Number(to)) + words + text.slice(Number(to))
  }
  return text
}

function assertSince(then: Read, now: Read, changes: Record<string, unknown>[]): void {
  const quotes = ({ blocks }: Read) => new Map(blocks.map(({ id, quote }) => [id, quote]))
  const [old, next] = [quotes(then), quotes(now)]
  const expected = new Map<string, string>()
  for (const [id, quote] of next) {
    if (id === null || old.get(id) === quote) continue
    expected.set(id, old.has(id) ? 'changed' : 'added')
  }
  for (const id of old.keys()) if (id !== null && !next.has(id)) expected.set(id, 'deleted')
  const said = new Map(changes.map(({ block_id, kind }) => [String(block_id), String(kind)]))
  assert.equal([...said].sort(), [...expected].sort())
}

/** One author a letter; undefined for what is no word, and for what goes with a link or fence. */
function wordsIn({ markdown, authorship }: Read): (string | undefined)[] {
  const authors: (string | undefined)[] = perUnit(authorship)
  const isWord = (letter: string) => /[\p{L}\p{N}]/u.test(letter)
  for (const [at, letter] of markdown.split('').entries())
    if (!isWord(letter)) authors[at] = undefined
  for (const { 0: found, index } of markdown.matchAll(/\]\([^)]*\)|```[^\n]*/g)) {
    authors.fill(undefined, index, index + found.length)
  }
  return authors
}

function common(
  a: string,
  b: string,
  at: (text: string, index: number) => string | undefined,
): number {
  let length = 0
  const most = Math.min(a.length, b.length)
  while (length < most && at(a, length) === at(b, length)) length++
  // Whole words only.
  while (length < most && length > 0 && at(a, length - 1) !== ' ') length--
  return length
}

/**
 * What the revert left where it stood keeps its very author; what it put in is by whom it was in
 * the revision that came back, or, where words of now were carried there, by whom those are.
 */
function assertGivenBack(
  { then, now, after }: { readonly then: Read; readonly now: Read; readonly after: Read },
  seed: number,
): number {
  const [was, had, is] = [wordsIn(then), wordsIn(now), wordsIn(after)]
  let stood = 0
  const blocksNow = new Map(now.blocks.map((block) => [block.id, block]))
  for (const { id, quote, range } of after.blocks) {
    const before = blocksNow.get(id)
    if (before === undefined) continue
    const { quote: old, range: place } = before
    const head = common(old, quote, (text, index) => text[index])
    const tail = common(old, quote, (text, index) => text.at(-1 - index))
    const isAmbiguous = head + tail > Math.min(old.length, quote.length) && old !== quote
    for (let at = 0; at < quote.length && !isAmbiguous; at++) {
      const from = at < head ? at : at - quote.length + old.length
      if (at >= head && at < quote.length - tail) continue
      const author = had[place.from + from]
      if (author === undefined || is[range.from + at] === undefined) continue
      stood++
      assert.is(is[range.from + at], author, `seed ${seed}, what stood, at ${range.from + at}`)
    }
  }
  let left = 0
  for (const [at, author] of is.entries()) {
    if (author === undefined || was[at] === undefined || author === was[at]) continue
    const isIt = (one: string | undefined, index: number) =>
      index >= left && one === author && now.markdown[index] === after.markdown[at]
    const from = had.findIndex(isIt)
    assert.ok(from >= 0, `seed ${seed}, what came, at ${at} of ${after.markdown}`)
    left = from + 1
  }
  return stood
}

test('law: every revision is told as it was read, with authors; diff, since and revert', async () => {
  let stood = 0
  for (const seed of seedsOf(1, process.env['LONG'] ? 60 : 3)) {
    const chance = new Chance(seed)
    const made = await service.create(chance.oneOf(blockTexts), 'Ann')
    const tokens = await writers(made)
    const reads = [await authored(made)]
    for (let left = 14; left > 0; left--) {
      if (chance.happens(0.2)) await retype(made, tokens, chance)
      else await step(made, chance.oneOf(tokens), chance)
      const read = await authored(made)
      if (read.revision > (reads.at(-1)?.revision ?? 0)) reads.push(read)
    }
    const now = reads.at(-1) as Read
    for (const then of reads) {
      const { json } = await get(made, `?revision=${then.revision}&include=authorship`)
      assert.is(json['markdown'], then.markdown, `seed ${seed} revision ${then.revision}`)
      assert.is(json['content_hash'], sha(then.markdown))
      assert.equal(json['authorship'], then.authorship, `seed ${seed} revision ${then.revision}`)
      const diff = await get(made, `/diff?from=${then.revision}&to=${now.revision}`)
      const changes = diff.json['changes'] as Record<string, unknown>[]
      assert.is(applied(then.markdown, changes), now.markdown, `seed ${seed}`)
      const since = await get(made, `/since?revision=${then.revision}`)
      assertSince(then, now, since.json['changes'] as Record<string, unknown>[])
    }
    const then = chance.oneOf(reads)
    const body = { revision: then.revision, base_revision: now.revision }
    const [, token] = tokens
    const answer = await service.call('POST', `/docs/${made.slug}/revert`, { token, body })
    assert.is(answer.status, 200, answer.text)
    const after = await authored(made)
    assert.is(after.markdown, then.markdown)
    stood += assertGivenBack({ then, now, after }, seed)
  }
  assert.ok(stood > 0)
})

test('extensions §12: what a revert brings back is by who wrote it, not by who reverts', async () => {
  const made = await service.create('kept\n\nwords of Ann <b>html</b>\n', 'Ann')
  const [, bob] = await writers(made)
  const edits = [{ old_string: 'words of Ann <b>html</b>', new_string: 'gone' }]
  await service.call('PATCH', `/docs/${made.slug}`, { token: bob, body: { edits } })
  const path = `/docs/${made.slug}/revert`
  const stale = { revision: 1, base_revision: 1 }
  const refused = await service.call('POST', path, { token: bob, body: stale })
  assert.is(refused.json['code'], 'EDIT_STALE')
  const body = { revision: 1, base_revision: 2 }
  const dry = await service.call('POST', `${path}?dryRun=true`, { token: bob, body })
  assert.match(dry.json['markdown'] as string, 'words of Ann')
  const headers = { 'Idempotency-Key': 'once' }
  for (const _ of [1, 2]) {
    const done = await service.call('POST', path, { token: bob, body, headers })
    assert.is(done.json['revision'], 3, done.text)
  }
  const { authorship } = await authored(made)
  assert.is(authorship.length, 1)
  const { json } = await get(made, '/history')
  const [newest] = json['entries'] as Record<string, unknown>[]
  assert.is(newest?.['event'], 'revert')
})

test('extensions §12: what stands keeps its author also where the revision had another', async () => {
  const made = await service.create('one two three\n', 'Ann')
  const [, bob] = await writers(made)
  const edit = async (token: string | undefined, from: string, to: string) => {
    const body = { edits: [{ old_string: from, new_string: to }] }
    const { json } = await service.call('PATCH', `/docs/${made.slug}`, { token, body })
    return Number(json['revision'])
  }
  // Who took a word out and puts it in again gives it back: so another does.
  await edit(made.token, 'two', 'x')
  await edit(bob, 'x', 'two')
  const base = await edit(bob, 'three', 'four')
  const authorsOf = async () => {
    const { markdown, authorship } = await authored(made)
    const perLetter = perUnit(authorship)
    return ['one', 'two', 'three'].map((word) => perLetter[markdown.indexOf(word)])
  }
  const [ann, other] = await authorsOf()
  assert.is.not(other, ann, 'the same word by somebody else')
  const body = { revision: 1, base_revision: base }
  const answer = await service.call('POST', `/docs/${made.slug}/revert`, { token: bob, body })
  assert.is(answer.json['markdown'], 'one two three\n')
  assert.equal(await authorsOf(), [ann, other, ann])
})

test('extensions §12: who writes or takes a part of a word is named on both sides of it', async () => {
  for (const [old, next] of [
    ['cat', 'scat'],
    ['Body', 'Bodily'],
    ['Bodily', 'Body'],
    ['two', 'twofold'],
    ['hello', 'help'],
  ] as const) {
    const made = await service.create(`A ${old} here.\n`, 'Ann')
    const [, bob] = await writers(made)
    const body = { edits: [{ old_string: old, new_string: next }] }
    const { json } = await service.call('PATCH', `/docs/${made.slug}`, { token: bob, body })
    const { authorship } = await authored(made)
    const by = perUnit(authorship)[2]
    const diff = await get(made, `/diff?from=1&to=${json['revision']}`)
    const changes = diff.json['changes'] as Record<string, unknown>[]
    assert.equal(
      changes.map(({ kind, text, author }) => ({ kind, text, author })),
      [
        { kind: 'delete', text: old, author: by },
        { kind: 'insert', text: next, author: by },
      ],
    )
    assert.is.not(by, perUnit(authorship)[0])
  }
})

test('§4.11 history: newest first, pages add up, hashes, names, refusals', async () => {
  const made = await service.create('one\n', 'Ann *x*')
  for (const word of ['two', 'three', 'four']) {
    const body = { edits: [{ before: null, new_string: ` ${word}` }], base_revision: 99 }
    const { json } = await get(made, '')
    const edit = { ...body, base_revision: json['revision'] }
    await service.call('PATCH', `/docs/${made.slug}`, { token: made.token, body: edit })
  }
  const name = { token: made.token, body: { name: 'Draft' } }
  assert.is((await service.call('PUT', `/docs/${made.slug}/revisions/2/name`, name)).status, 200)
  assert.is((await service.call('PUT', `/docs/${made.slug}/revisions/9/name`, name)).status, 404)
  const all: Record<string, unknown>[] = []
  for (let cursor = ''; ; ) {
    const { json } = await get(made, `/history?limit=3${cursor}`)
    all.push(...(json['entries'] as Record<string, unknown>[]))
    if (json['next_cursor'] === null) break
    cursor = `&cursor=${json['next_cursor']}`
  }
  assert.equal(
    all.map(({ revision }) => revision),
    [4, 3, 2, 1],
  )
  assert.is(all[2]?.['name'], 'Draft')
  assert.is(all[3]?.['event'], 'create')
  assert.is(all[0]?.['markdown_sha256_before'], all[1]?.['markdown_sha256_after'])
  assert.is(all[0]?.['auth_method'], 'token')
  assert.match(String(all[0]?.['ip_hash']), /^[0-9a-f]{64}$/)
  for (const bad of ['limit=0', 'limit=201', 'cursor=x']) {
    assert.is((await get(made, `/history?${bad}`)).json['code'], 'INVALID_REQUEST')
  }
  assert.is((await get(made, '?revision=9')).json['code'], 'NOT_FOUND')
  const anonymous = await service.call('GET', `/docs/${made.slug}/history`)
  assert.is(anonymous.status, 401)
  const log = await get(made, '/log.md')
  assert.match(log.headers['content-type'] ?? '', 'text/markdown')
  assert.match(log.text, /^## \d{4}-\d\d-\d\d\n\n\* \*\*Update\*\* \d\d:\d\d by Ann \\\*x\\\* \(/)
})

test.run()
