/**
 * Interface §4.8: what normalization takes off an artifact and what it leaves, its hints and title;
 * and that the worst HTML ends its thread and not the service.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withoutFetches } from '../../../../core/assets/artifacts/css.ts'
import { normalize } from '../../../../core/assets/artifacts/normalize.ts'
import { openArtifactThread } from '../../../../server/artifact-thread.ts'
import { systemRuntime } from '../../../../server/runtime.ts'

const directory = mkdtempSync(join(tmpdir(), 'artifacts-'))
const file = pathToFileURL(join(directory, 'worker.mjs'))
test.before(async () => {
  await build({
    entryPoints: ['server/artifact-worker.ts'],
    outfile: file.pathname,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
})
test.after(() => rmSync(directory, { recursive: true }))

const page = (body: string, head = '') =>
  `<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`

const htmlOf = (source: string) => normalize(source)?.html

test('what is self-contained stays as it is', () => {
  const whole = page(
    '<p class="a" onclick="go()">x</p><img src="data:image/png;base64,AA"><a href="https://x.y">z</a>' +
      '<svg><use href="#a"></use></svg><script>fetch("/x")</script><input name="n">',
    '<meta charset="utf-8"><title>A</title><style>p { color: red }</style>',
  )
  assert.is(htmlOf(whole), whole)
  assert.is(htmlOf('<p>x'), page('<p>x</p>'), 'made whole, in standards mode')
  assert.is(htmlOf('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN"><p>x'), page('<p>x</p>'))
})

test('external scripts, frames, fonts, forms, manifests, base and http-equiv are taken off', () => {
  const gone = [
    '<script src="https://x.y/a.js"></script>',
    '<script src="data:text/javascript,1"></script>',
    '<script type="importmap">{}</script>',
    '<script type=" SpeculationRules ">{}</script>',
    '<svg><script href="a.js"></script></svg>',
    '<iframe src="x"></iframe>',
    '<iframe srcdoc="<p>"></iframe>',
    '<object data="x"></object>',
    '<embed src="x">',
    '<applet></applet>',
    '<fencedframe></fencedframe>',
    '<link rel="stylesheet" href="https://x.y/a.css">',
    '<link rel="dns-prefetch" href="//x.y">',
    '<base href="https://x.y/">',
    '<meta http-equiv="refresh" content="0;url=https://x.y">',
    '<META HTTP-EQUIV=refresh CONTENT=0>',
    '<template><iframe src="x"></iframe></template>',
  ]
  for (const one of gone) {
    const html = htmlOf(page(`a${one}b`)) ?? ''
    const left = html.replace(/<template><\/template>|<svg><\/svg>/, '')
    assert.is(left, page('ab'), one)
  }
  assert.is(
    htmlOf('<frameset><frame src="x"></frameset>'),
    '<!DOCTYPE html><html><head></head><body></body></html>',
  )
  assert.is(htmlOf(page('<form action="/x">a<b>c</b></form>d')), page('a<b>c</b>d'))
  const attributes: readonly [string, string][] = [
    ['<img src="https://x.y/a.png" alt="a">', '<img alt="a">'],
    ['<img src="//x.y/a" srcset="a 1x">', '<img>'],
    ['<video poster="a" src="b"></video>', '<video></video>'],
    ['<a ping="https://x.y" href="#a">a</a>', '<a href="#a">a</a>'],
    ['<button formaction="x">a</button>', '<button>a</button>'],
    ['<svg><image href="https://x.y/a"></image></svg>', '<svg><image></image></svg>'],
    ['<table background="x"></table>', '<table></table>'],
  ]
  for (const [from, to] of attributes) assert.is(htmlOf(page(from)), page(to), from)
})

test('style sheets lose what fetches, and nothing else', () => {
  const cases: readonly [string, string][] = [
    ['a{b:c}', 'a{b:c}'],
    ['@import "x;y";a{}', '/**/a{}'],
    ['@IMPORT url(x);a{}', '/**/a{}'],
    ['@import "unended', '/**/'],
    ['@font-face{src:url(https://x.y/a.woff)}a{}', '/**/a{}'],
    [
      '@font-face { src : url( "data:font/woff,x" ) }',
      '@font-face { src : url( "data:font/woff,x" ) }',
    ],
    ['@media print{@import "x";a{}}', '@media print{/**/a{}}'],
    ['</st@import x;yle>', '</st/**/yle>'],
    ['@import /* ; */ "a";b', '/**/b'],
  ]
  for (const [from, to] of cases) assert.is(withoutFetches(from), to, from)
  const long = '@import '.repeat(60_000)
  assert.is(withoutFetches(long), '/**/')
  assert.ok(withoutFetches('@font-face{'.repeat(40_000)).length > 0)
})

test('hints are 100 to 4000, else 720 by 450; the title is the first one, in one line', () => {
  const sized = (width: string, height: string) => {
    const meta = (name: string, content: string) =>
      `<meta name="artifact-${name}" content="${content}">`
    const found = normalize(page('', meta('width', width) + meta('height', height)))
    return [found?.width, found?.height]
  }
  assert.equal(sized('100', '4000'), [100, 4000])
  assert.equal(sized(' 800 ', '99'), [800, 450])
  for (const wrong of ['4001', '1e3', '800px', '-800', '', '0x400', '800.5', '٨٠٠']) {
    assert.equal(sized(wrong, wrong), [720, 450], wrong)
  }
  assert.equal([normalize('x')?.width, normalize('x')?.height], [720, 450])
  assert.is(normalize('<title> A \n B </title><svg><title>C</title></svg>')?.title, 'A B')
  assert.is(normalize('<p>x')?.title, '')
  assert.is(normalize(`<title>${'😀'.repeat(300)}</title>`)?.title, '😀'.repeat(200))
})

test('normalizing again changes nothing', () => {
  const odd = [
    '<b><p>x</b>y</p><table>z<tr><td>',
    '<svg><style><img src=x onerror=1></style></svg>',
    '<math><mi><table><mglyph><style><!--</style><img title="--&gt;&lt;script src=x&gt;">',
    '<noscript><iframe src=x></noscript><plaintext><script src=x>',
    '<textarea></textarea x><xmp><iframe></xmp>',
    '<template><form><script src=a></script></form></template>',
  ]
  for (const one of odd) {
    const once = htmlOf(one)
    if (once === undefined) continue
    assert.is(htmlOf(once), once, one)
    assert.not.ok(once.includes('<script src'), one)
  }
  assert.is(htmlOf('<plaintext>x'), undefined, 'what can never be written')
})

const isLong = process.env['LONG'] !== undefined
const limit = 512 * 1024
const fill = (unit: (at: number) => string): string => {
  let text = ''
  for (let at = 0; text.length < limit - 64; at++) text += unit(at)
  return text
}

const bombs: Readonly<Record<string, string>> = {
  'formatting elements, each another, then paragraphs': `${fill((at) => (at < 20_000 ? `<b a${at}>` : '<p>'))}`,
  'few of them, then paragraphs': fill((at) => (at < 450 ? `<b a${at}>` : '<p>')),
  'adoption agency': fill(() => '<a><p>'),
  'nested divs': fill(() => '<div>'),
  'nested tables': fill(() => '<table><td>'),
  'nested lists that close nothing': fill(() => '<li></p><ul>'),
  'foster parents': `<table>${fill(() => '<b>x')}`,
  'end tags of nothing': `${'<b>'.repeat(40_000)}${fill(() => '</i>').slice(0, 300_000)}`,
  attributes: `<p ${fill((at) => `a${at} `)}>`,
}

/** Processor time of this thread, where the system tells (Linux); else all that went by. */
function ranMs(): number {
  const told = `/proc/self/task/${process.pid}/schedstat`
  return existsSync(told)
    ? Number(readFileSync(told, 'utf8').split(' ')[0]) / 1e6
    : performance.now()
}

test('the worst HTML is refused in time, in a thread that others do not wait for', async () => {
  const thread = openArtifactThread(systemRuntime, { withinMs: 1_000, file })
  const from = { address: '192.0.2.1', link: '' }
  assert.is((await thread.normalize('<p>x', from))?.title, '')
  let [worst, worked] = [0, 0]
  let [last, lastRan] = [performance.now(), ranMs()]
  const beat = setInterval(() => {
    const [now, ran] = [performance.now(), ranMs()]
    worst = Math.max(worst, now - last - 5)
    worked = Math.max(worked, ran - lastRan)
    last = now
    lastRan = ran
  }, 5)
  const outcomes: string[] = []
  for (const [name, source] of Object.entries(bombs).slice(0, isLong ? undefined : 4)) {
    last = performance.now()
    const startedAt = performance.now()
    const found = await thread.normalize(source, from)
    const ms = Math.round(performance.now() - startedAt)
    outcomes.push(`${name}: ${found === undefined ? 'refused' : 'taken'} ${ms} ms`)
  }
  clearInterval(beat)
  const held = `${Math.round(worst)} ms, of which it worked ${Math.round(worked)} at most`
  console.log(`\nseed none bombs, the loop held ${held}: ${outcomes.join(', ')}`)
  assert.ok(worked < 150, 'parsed beside the loop, not in it')
  assert.ok(outcomes.some((one) => one.includes('refused')))
  assert.is(
    (await thread.normalize('<title>y</title>', from))?.title,
    'y',
    'the next one is served',
  )
  await thread.close()
})

test('of two addresses none waits for all of the other’s', async () => {
  const thread = openArtifactThread(systemRuntime, { file })
  const order: string[] = []
  const ask = (address: string) =>
    thread.normalize('<p>', { address, link: '' }).then(() => void order.push(address))
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(ask))
  assert.ok(order.indexOf('b') <= 2, order.join())
  await thread.close()
})

test.run()
