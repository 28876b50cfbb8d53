/** Interface §2.2 and extensions §4: UTF-16 offsets, authorship of every character, titles. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  asList,
  asText,
  call,
  type Fields,
  type Made,
  pick,
  Service,
  succeeded,
} from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const samples: Readonly<Record<string, string>> = {
  nothing: '',
  blanks: '  \n\n \n',
  emoji: '# \u{1F469}\u200d\u{1F4BB} dev\n\n\u{1F600}\u{1F600} text\n\n- \u{1F1E9}\u{1F1EA}\n- b\n',
  'combining characters': 'e\u0301e\u0301 n\u0303\n\n> q\u0308\n',
  CRLF: '# A\r\n\r\nline\r\n\r\n- a\r\n- b\r\n',
  'right to left': '\u05d0\u05d1 \u0627\u0644\n\n**\u05d2**\n',
  'front matter': '---\ntitle: x\n---\n\n# After\n\ntext\n',
  table: '| a\u{1F600} | b |\n| --- | :-: |\n| c \\| d | `e` |\n\nend\n',
  code: '```js\nlet a = "\u{1F600}"\n\n\n```\n\nafter\n',
  'nested lists': '1. a\n   - b\n\n     c\n2. d\n\n- [ ] t\n- [x] u\n',
  'marks and links': '**b** *i* ~~s~~ `c` [l](https://x.test "t") ![i](https://x.test/i.png)\n',
  'hard breaks and rules': 'a\\\nb\n\n---\n\n<br />\n\nc\n',
}

/** The laws of each read: valid slices, ordered blocks, runs without gaps. */
async function lawful(made: Made): Promise<Fields> {
  const body = succeeded(await made.read('?include=authorship,block_quotes'))
  const markdown = asText(body['markdown'])
  for (const block of asList(body['content_blocks'])) {
    const from = Number(pick(block, 'range', 'from'))
    const to = Number(pick(block, 'range', 'to'))
    assert.is(block['quote'], markdown.slice(from, to))
    assert.ok(from >= 0 && from <= to && to <= markdown.length)
  }
  let end = 0
  let last: unknown
  for (const run of asList(body['authorship'])) {
    assert.is(run['from'], end, `a gap or an overlap at ${end}`)
    assert.ok(Number(run['to']) > end)
    assert.is.not(run['author'], last, 'adjacent runs of one author are merged')
    assert.match(asText(run['author']), /^(human|ai|unknown):/)
    end = Number(run['to'])
    last = run['author']
  }
  assert.is(end, markdown.length, 'every character has an author')
  return body
}

for (const [name, markdown] of Object.entries(samples)) {
  test(`interface §2.2: ranges and runs hold for ${name}`, async () => {
    await lawful(await service.document(markdown))
  })

  test(`interface §2.3: the markdown of ${name} is canonical: created again, it stays`, async () => {
    const once = await (await service.document(markdown)).markdown()
    assert.is(await (await service.document(once)).markdown(), once)
  })
}

/** `made` edited by a second actor, who came by the share address. */
async function second(made: Made, from: string, to: string): Promise<string> {
  const [slug, token] = [made.slug, made.shareToken]
  const named = { display_name: 'Second' }
  const edits = [{ old_string: from, new_string: to }]
  await call(service, 'PATCH /docs/:slug', [], { slug, body: { edits, ...named }, token })
  const body = { ...named, slug }
  return (await call(service, 'POST /agents/identify', [], { body, token })).actor_id
}

function authors(body: Fields): (readonly [string, unknown])[] {
  const markdown = asText(body['markdown'])
  return asList(body['authorship']).map((run) => [
    markdown.slice(Number(run['from']), Number(run['to'])),
    run['author'],
  ])
}

test('interface §2.2: a PATCH attributes what it wrote and nothing else', async () => {
  const made = await service.document('one \u{1F600} two three\n')
  const other = await second(made, 'two', '2\u{1F680}')
  assert.equal(authors(await lawful(made)), [
    ['one \u{1F600} ', made.actorId],
    ['2\u{1F680}', other],
    [' three\n', made.actorId],
  ])
})

test('interface §2.2: text that both old and new hold keeps its author', async () => {
  const made = await service.document('the quick fox\n')
  const other = await second(made, 'the quick fox', 'the quick red fox')
  const own = authors(await lawful(made)).filter(([, author]) => author === other)
  assert.is(own.map(([text]) => text.trim()).join(''), 'red')
})

test('extensions §4: markup takes the author of the text that it precedes', async () => {
  const made = await service.document('first\n')
  const other = await second(made, 'first', 'first\n\n- item')
  const runs = authors(await lawful(made))
  assert.is(runs[0]?.[1], made.actorId)
  const mine = runs.filter(([, author]) => author === other).map(([text]) => text)
  assert.ok(mine.join('').includes('- item'), JSON.stringify(runs))
})

test('interface §2.2: a deletion takes its runs along', async () => {
  const made = await service.document('one two three\n')
  await second(made, 'two', 'zwei')
  succeeded(await made.swap('zwei ', ''))
  assert.equal(authors(await lawful(made)), [['one three\n', made.actorId]])
})

test('interface §2.2: many edits by two actors keep the laws', async () => {
  const made = await service.document(samples['table'] ?? '')
  await second(made, 'end', 'end \u{1F600}\n\n1. x\n2. y')
  succeeded(await made.swap('end', 'fin'))
  await second(made, 'x', '**x**')
  await lawful(made)
})

const titles: readonly (readonly [string, string, string])[] = [
  ['a heading marker', '# Plan\n', 'Plan'],
  ['a deep heading marker', '###### Deep\n', 'Deep'],
  ['no marker', 'Plain line\nsecond\n', 'Plain line'],
  ['empty lines first', '\n\n\n# Late\n', 'Late'],
  ['a marker inside the line', 'a # b\n', 'a # b'],
  ['markup in the line', '# A **bold** `x`\n', 'A **bold** `x`'],
  ['a spacer first', '<br />\n\n# After\n', 'After'],
  ['front matter first', '---\ntitle: No\n---\n\n# Yes\n', 'Yes'],
  ['front matter alone', '---\ntitle: No\n---\n', ''],
  ['nothing', '', ''],
  ['spacers alone', '<br />\n\n<br />\n', ''],
  ['an escaped marker', '\\# not a heading\n', '\\# not a heading'],
  ['a list item', '- item\n', '- item'],
  ['a quote', '> said\n', '> said'],
  ['a fence', '```js\nx\n```\n', '```js'],
]
for (const [name, markdown, title] of titles) {
  test(`extensions §4: the title with ${name}`, async () => {
    const made = await service.document(markdown)
    assert.is(made.created.title, title)
    assert.is(succeeded(await made.read())['title'], title)
  })
}

test('extensions §4: a title is cut at 200 code points, not UTF-16 units', async () => {
  const made = await service.document(`# ${'\u{1F600}'.repeat(201)}\n`)
  assert.is(made.created.title, '\u{1F600}'.repeat(200))
  const exact = await service.document(`# ${'x'.repeat(200)}\n`)
  assert.is(exact.created.title.length, 200)
})

test('interface §2.2: a large document reads with ranges that hold', async () => {
  const paragraph = '## Part \u{1F600}\n\nSome *text* here.\n\n- a\n- b\n\n'
  await lawful(await service.document(paragraph.repeat(400)))
})

test('interface §2.2: all text deleted leaves an empty, lawful document', async () => {
  const made = await service.document('only\n')
  succeeded(await made.swap('only', ''))
  const body = await lawful(made)
  assert.is(asText(body['markdown']).trim(), '')
  assert.is(body['title'], '')
})

test.run()
