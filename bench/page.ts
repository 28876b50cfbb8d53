/**
 * The page in a real browser: first paint of an empty document, opening a long one, and what a
 * keystroke in it costs, beside a plain ProseMirror editor of the same text without Yjs; then a page
 * that is much talked about.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { Stage } from '../tests/browser/stage.ts'
import { root } from './process.ts'
import { Report, type Section } from './report.ts'
import { median, ms, quantile } from './stats.ts'
import { documentOf } from './text.ts'

declare global {
  interface Window {
    __keys: number[]
    __frames: number[]
    __longTasks: number[]
  }
}

/** Milliseconds of each key: until its handlers are done, and until the frame after it is drawn. */
interface KeyTimes {
  readonly script: readonly number[]
  readonly frame: readonly number[]
}

/** Measures each key from its event to the end of its task, and to the next drawn frame. */
async function typed(page: Page, keys: number): Promise<KeyTimes> {
  await page.evaluate(() => {
    const isListening = window.__keys !== undefined
    window.__keys = []
    window.__frames = []
    if (isListening) return
    window.addEventListener(
      'keydown',
      () => {
        const start = performance.now()
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.__frames.push(performance.now() - start)
        requestAnimationFrame(() => port2.postMessage(0))
      },
      true,
    )
    window.addEventListener(
      'beforeinput',
      ({ timeStamp }) => {
        setTimeout(() => window.__keys.push(performance.now() - timeStamp))
      },
      true,
    )
  })
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('abcdefgh'.charAt(key % 8))
    await page.waitForFunction((count) => window.__frames.length > count, key)
  }
  return page.evaluate(() => ({ script: window.__keys, frame: window.__frames }))
}

async function plainPage(stage: Stage, markdown: string): Promise<Page> {
  const output = mkdtempSync(join(tmpdir(), 'plain-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    build: {
      outDir: output,
      rollupOptions: { input: join(root, 'bench/page/plain.ts') },
      lib: { entry: join(root, 'bench/page/plain.ts'), formats: ['es'], fileName: 'plain' },
    },
  })
  const script = readFileSync(join(output, 'plain.js'), 'utf8')
  rmSync(output, { recursive: true })
  const css = readFileSync(
    join(root, 'node_modules/prosemirror-view/style/prosemirror.css'),
    'utf8',
  )
  const html = `<!doctype html><style>${css}</style><main></main>
<script type="text/markdown">${markdown.replaceAll('<', '&lt;')}</script>`
  const page = await stage.person()
  await page.route('http://plain.test/**', (route) =>
    route.fulfill(
      route.request().url().endsWith('.js')
        ? { body: script, contentType: 'text/javascript' }
        : {
            body: `${html}<script type="module" src="/plain.js"></script>`,
            contentType: 'text/html',
          },
    ),
  )
  await page.goto('http://plain.test/')
  await page.locator('.text > *').first().waitFor({ timeout: 60_000 })
  return page
}

async function caretInMiddle(page: Page): Promise<void> {
  const middle = page.locator('.text > p').nth(3_000)
  await middle.scrollIntoViewIfNeeded()
  await middle.click()
  await page.keyboard.press('End')
  await page.waitForTimeout(500)
}

export async function measurePage(isQuick: boolean): Promise<Section> {
  const report = new Report()
  const stage = await Stage.open()
  try {
    await measureOpening(stage, report)
    await measureKeys(stage, report, isQuick ? 40 : 150)
    await measureTalk(stage, report, isQuick ? 40 : 150)
  } finally {
    await stage.close()
  }
  return {
    title: 'The page in a browser',
    how: 'Chromium without a screen on the same machine as the service; a key at a time, each drawn.',
    rows: report.rows,
  }
}

async function measureOpening(stage: Stage, report: Report): Promise<void> {
  const empty = await stage.document('')
  const paints: number[] = []
  for (let round = 0; round < 5; round++) {
    const page = await stage.person()
    await page.goto(empty.shareAddress)
    await page.locator('.text [data-id]').waitFor()
    paints.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    )
    await page.context().close()
  }
  report.below('first paint of an empty document', median(paints), { most: 1_000, write: ms })
}

async function measureKeys(stage: Stage, report: Report, keys: number): Promise<void> {
  const markdown = documentOf(10_000)
  const long = await stage.document(markdown)
  const page = await stage.person()
  const started = performance.now()
  await page.goto(long.shareAddress)
  await page.waitForFunction(
    () => (document.querySelector('.text')?.childElementCount ?? 0) > 9_000,
    undefined,
    { timeout: 60_000 },
  )
  report.below('1 MB, 10,000 blocks: until it can be written in', performance.now() - started, {
    most: 3_000,
    write: ms,
  })
  await caretInMiddle(page)
  const ours = await typed(page, keys)
  await page.context().close()
  const beside = await plainPage(stage, markdown)
  await caretInMiddle(beside)
  const plain = await typed(beside, keys)
  report.below('1 MB: a keystroke in the page, p95', quantile(ours.script, 0.95), {
    most: 50,
    write: ms,
  })
  report.note('1 MB: a keystroke in the page, p50', ms(median(ours.script)))
  report.note('1 MB: a keystroke until it is drawn, p50', ms(median(ours.frame)))
  report.note('1 MB: a keystroke until it is drawn, p95', ms(quantile(ours.frame, 0.95)))
  report.note('plain ProseMirror: a keystroke, p50', ms(median(plain.script)))
  report.note('plain ProseMirror: a keystroke, p95', ms(quantile(plain.script, 0.95)))
  report.note('plain ProseMirror: until it is drawn, p50', ms(median(plain.frame)))
  report.note('plain ProseMirror: until it is drawn, p95', ms(quantile(plain.frame, 0.95)))
}

const threads = 200
const suggestions = 20

/** A page with many threads, then the same while suggestions come in between its keys. */
async function measureTalk(stage: Stage, report: Report, keys: number): Promise<void> {
  const lines = Array.from({ length: 2 * threads }, (_, at) => `Line ${at} says a few words.`)
  const sheet = await stage.document(lines.join('\n\n'))
  const says = (body: unknown) =>
    stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
  for (let at = 0; at < threads; at++) {
    await says({ quote: `Line ${2 * at} says`, text: `What of ${at}?` })
  }
  const page = await stage.person({ viewport: { width: 1_440, height: 900 } })
  await page.addInitScript(() => {
    window.__longTasks = []
    const told = (list: PerformanceObserverEntryList) => {
      for (const { duration } of list.getEntries()) window.__longTasks.push(duration)
    }
    new PerformanceObserver(told).observe({ entryTypes: ['longtask'] })
  })
  await page.goto(sheet.shareAddress)
  await page.locator('.talk-card').first().waitFor()
  await page.locator('.text').getByText('Line 101 says').click()
  await page.keyboard.press('End')
  await page.waitForTimeout(1_000)
  const alone = await typed(page, keys)
  await page.evaluate(() => {
    window.__longTasks.length = 0
  })
  let coming = Promise.resolve<unknown>(undefined)
  for (let at = 0; at < suggestions; at++) {
    const old = `Line ${2 * (90 + at) + 1} says`
    const suggestion = { new_string: `${old} and suggests` }
    coming = coming.then(() => says({ quote: old, suggestion }))
  }
  const meanwhile = await typed(page, keys)
  await coming
  await page.waitForTimeout(1_000)
  const tasks = await page.evaluate(() => window.__longTasks)
  await page.context().close()
  const bound = { most: 50, write: ms }
  report.below(`${threads} threads: a keystroke, p95`, quantile(alone.script, 0.95), bound)
  report.note(`${threads} threads: until it is drawn, p95`, ms(quantile(alone.frame, 0.95)))
  const what = `… while ${suggestions} suggestions come`
  report.below(`${what}: a keystroke, p95`, quantile(meanwhile.script, 0.95), bound)
  report.below(`${what}: the longest task`, Math.max(0, ...tasks), { most: 200, write: ms })
}
