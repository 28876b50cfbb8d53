/** OKF 0.1 files and manifests (interface §2.2, §4.4). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { manifestOf, type OkfFacts, okfFile, readFrontMatter } from '../../../../schema/okf.ts'
import { startService } from '../service.ts'

const facts = {
  slug: '12345678901234567890',
  title: 'Title',
  revision: 7,
  contentHash: '0'.repeat(64),
  liveEtag: '1e10',
  liveUrl: 'https://docs.example/docs/12345678901234567890',
  changedAt: Date.UTC(2026, 0, 2),
}

/** The front matter of a file as data, its keys in order, and what follows it. */
function opened(file: string, version: '1.1' | '1.2' = '1.2') {
  const end = file.indexOf('\n---\n', 4)
  const front = parse(file.slice(4, end + 1), { version }) as Record<string, unknown>
  return { front, keys: Object.keys(front), body: file.slice(end + 5) }
}

const okfOf = (markdown: string, facts: OkfFacts) =>
  okfFile(markdown, readFrontMatter(markdown), facts)

test('§4.4 identity and freshness stand under x-service', () => {
  const { front, body } = opened(okfOf('# Title\n', facts))
  assert.equal(front['x-service'], {
    slug: facts.slug,
    revision: 7,
    content_hash: facts.contentHash,
    live_etag: '1e10',
    live_url: facts.liveUrl,
  })
  assert.is(body, '\n# Title\n')
})

test('§4.4 type: Reference is synthesised when the document has none', () => {
  assert.is(opened(okfOf('# T\n', facts)).front['type'], 'Reference')
  assert.is(opened(okfOf('---\ntype: ""\n---\n', facts)).front['type'], 'Reference')
  assert.is(opened(okfOf('---\ntype: Note\n---\n', facts)).front['type'], 'Note')
})

test('§4.4 front matter that nobody edited keeps its bytes; what it leaves out is added', () => {
  const source =
    '# Ours.\nversion: 1.10\nzip: 0123 # a code\nquoted: "yes"\nsingle: \'no\'\nat: 2026-01-01\n' +
    'tags:\n- a\n-   b\nnested:\n    deep:   [1,2]\nbig: 12345678901234567890\nhex: 0x1F\n' +
    'text: |\n  two\n  lines\ntype: Note\n'
  const file = okfOf(`---\n${source}---\n\nbody\n`, facts)
  assert.ok(file.includes(`\n${source}`), file)
  assert.equal(opened(file).keys.slice(-3), ['title', 'timestamp', 'x-service'])
  assert.is(file.match(/^type:/gm)?.length, 1)
  assert.ok(file.endsWith('---\n\nbody\n'))
})

test('§4.4 a key that says nothing, or passes for ours, is written anew; a flow map is written out', () => {
  const empty =
    '---\na: 1.10\ntype:\n- x\nx-service:\n  slug: other\n\n  more: 1\ntitle: ""\nz: 2\n---\n\nb\n'
  const file = okfOf(empty, facts)
  assert.match(file, /^a: 1\.10\nz: 2\n/m)
  assert.not.match(file, /other|more/)
  for (const key of ['type', 'title', 'x-service']) {
    assert.is(file.match(new RegExp(`^${key}:`, 'gm'))?.length, 1, key)
  }
  const flow = okfOf('---\n"a": {b: 1.10}\n---\n\nb\n', facts)
  assert.match(flow, /^"a": \{b: 1\.10\}$/m)
})

test('values that YAML reads as another type are quoted, in 1.2 and in 1.1', () => {
  const words = [
    'yes',
    'No',
    'on',
    'null',
    '~',
    '1e3',
    '0x1f',
    '12:30',
    '2026-01-01',
    '.5',
    '-',
    '',
  ]
  for (const word of [...words, 'a: b', '# x', '[x]', '&a', '*a', '!t', '%d', '@x', '`x', 'x\ny']) {
    for (const version of ['1.1', '1.2'] as const) {
      const { front } = opened(okfOf('text\n', { ...facts, title: word || 'x' }), version)
      assert.is(front['title'], word || 'x', `${version} ${word}`)
      const service = front['x-service'] as Record<string, unknown>
      assert.is(service['slug'], facts.slug)
      assert.is(service['live_etag'], '1e10')
    }
  }
})

test("the document's own x-service never passes for ours", () => {
  const own = '---\nx-service: {slug: other}\n---\n\nbody\n'
  const { front } = opened(okfOf(own, facts))
  assert.is((front['x-service'] as { slug: string }).slug, facts.slug)
  assert.equal(manifestOf(readFrontMatter(own), facts).extensions, {})
})

test('front matter that is not a readable map stays in the body', () => {
  const bad = [
    '---\n: : :\n  - [\n---\n\nbody\n',
    '---\njust text\n---\n\nbody\n',
    '---\n- a\n- b\n---\n\nbody\n',
    '---\na: 1\na: 2\n---\n\nbody\n',
    '---\nno end\n',
    `---\nbig: ${'x'.repeat(70_000)}\n---\n\nbody\n`,
  ]
  for (const markdown of bad) {
    assert.is(readFrontMatter(markdown).length, 0, markdown.slice(0, 40))
    assert.is(opened(okfOf(markdown, facts)).body, `\n${markdown}`)
  }
})

test('aliases cannot blow up', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 12; i++) {
    const refs = Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')
    lines.push(`a${i}: &a${i} [${refs}]`)
  }
  const bomb = `---\n${lines.join('\n')}\n---\n\nbody\n`
  assert.is(readFrontMatter(bomb).length, 0)
  const honest = '---\na: &x [1]\nb: *x\n---\n\nbody\n'
  assert.equal(manifestOf(readFrontMatter(honest), facts).extensions, { a: [1], b: [1] })
})

test('§2.2 manifest: absent fields have one form, type may be absent', () => {
  assert.equal(manifestOf(readFrontMatter('# T\n'), facts), {
    title: 'Title',
    description: null,
    resource: null,
    tags: [],
    timestamp: '2026-01-02T00:00:00.000Z',
    extensions: {},
  })
})

test('§2.2 manifest: names that reach a prototype are data', () => {
  const { extensions } = manifestOf(
    readFrontMatter('---\n__proto__: {x: 1}\nconstructor: 2\n---\n'),
    facts,
  )
  assert.equal(Object.keys(extensions).sort(), ['__proto__', 'constructor'])
  assert.is(({} as Record<string, unknown>)['x'], undefined)
})

test('§4.4 front matter that is nested too deep, or has too many keys, stays text', () => {
  const pairs = Array.from({ length: 5_000 }, (_, at) => `k${at}`)
  const before = process.cpuUsage()
  for (const yaml of [
    `x: ${'['.repeat(7_758)}${']'.repeat(7_758)}`,
    `x: ${'{a: '.repeat(5_000)}`,
    `${'- '.repeat(10_000)}a`,
    `${'? '.repeat(10_000)}a`,
    Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    pairs.map((key) => `${key}: 1`).join('\n'),
    `x: {${pairs.join(', ')}}`,
  ]) {
    const markdown = `---\n${yaml}\n---\n\n# T\n`
    assert.is(readFrontMatter(markdown).length, 0)
  }
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1000 < 1_000, `${(user + system) / 1000} ms`)
  const long = `---\ndescription: ${'a sentence, with commas: and more '.repeat(1_000)}\n---\n`
  assert.is(readFrontMatter(long.replaceAll(': and', ' - and')).entries.size, 1)
})

test('§4.4 format=okf answers text/markdown, and writes nothing back', async () => {
  const service = await startService()
  const { slug, token } = await service.create('# T\n\nbody\n', 'Ada')
  const answer = await service.call('GET', `/docs/${slug}?format=okf`, { token })
  assert.match(String(answer.headers['content-type']), /^text\/markdown/)
  const { front, body } = opened(answer.text)
  assert.is(front['type'], 'Reference')
  assert.is(front['title'], 'T')
  assert.is(body, '\n# T\n\nbody\n')
  const { json } = await service.call('GET', `/docs/${slug}`)
  assert.is(json['markdown'], '# T\n\nbody\n')
  assert.is(json['revision'], 1)
  await service.close()
})

test.run()
