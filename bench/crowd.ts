/**
 * One browser page among fifty who type: how long anything keeps its main thread, and how soon its
 * own keys are drawn. Every typist is a stock client with a caret, on a paragraph of their own.
 */
import WebSocket from 'ws'
import { WebsocketProvider } from 'y-websocket'
import * as Y from 'yjs'
import { Stage, type StageDocument } from '../tests/browser/stage.ts'
import { textOf } from './editor.ts'
import { Report, type Section } from './report.ts'
import { digits, ms, quantile } from './stats.ts'

const typists = 50
/** Of each of them. */
const keysPerSecond = 2
const seconds = 15
const ownKeyEveryMs = 180

const line = (index: number): string => `Line ${index} is somebody's own.`

interface Seen {
  /** Milliseconds of each task over 50 ms. */
  readonly long: readonly number[]
  /** From a key to the frame after it, milliseconds. */
  readonly keys: readonly number[]
}

class Typist {
  readonly #ydoc = new Y.Doc()
  readonly #provider: WebsocketProvider
  readonly #index: number
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(origin: string, { slug, token, index }: Seat) {
    this.#index = index
    this.#provider = new WebsocketProvider(
      `${origin.replace('http', 'ws')}/docs/${slug}`,
      'live',
      this.#ydoc,
      {
        disableBc: true,
        protocols: ['yjs', `bearer.${token}`],
        WebSocketPolyfill: WebSocket as unknown as typeof globalThis.WebSocket,
      },
    )
    const name = `Typist ${index}`
    this.#provider.awareness.setLocalStateField('user', { actor: `human:typist-${index}`, name })
  }

  synced(): Promise<void> {
    return new Promise((resolve) => this.#provider.once('sync', () => resolve()))
  }

  start(): void {
    const text = textOf(this.#ydoc.getXmlFragment('prosemirror'), this.#index)
    this.#timer = setInterval(() => {
      text.insert(text.length, 'x')
      const place = Y.createRelativePositionFromTypeIndex(text, text.length)
      this.#provider.awareness.setLocalStateField('cursor', { anchor: place, head: place })
    }, 1000 / keysPerSecond)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#provider.destroy()
    this.#ydoc.destroy()
  }
}

interface Seat {
  readonly slug: string
  readonly token: string
  readonly index: number
}

async function seatOf(stage: Stage, made: StageDocument, index: number): Promise<Seat> {
  const share = new URL(made.shareAddress).searchParams.get('token') ?? ''
  const read = await stage.call('GET', `/docs/${made.slug}?docs`, { token: share })
  const token = String(read['your_token'])
  const body = { slug: made.slug, display_name: `Typist ${index}` }
  await stage.call('POST', '/agents/identify', { token, body })
  return { slug: made.slug, token, index }
}

export async function measureCrowd(): Promise<Section> {
  const report = new Report()
  // Each stock client listens for the end of the process.
  process.setMaxListeners(typists + 20)
  const stage = await Stage.open()
  const crowd: Typist[] = []
  try {
    const lines = Array.from({ length: typists + 1 }, (_, index) => line(index))
    const made = await stage.document(`${lines.join('\n\n')}\n`)
    for (let index = 0; index < typists; index++) {
      const typist = new Typist(stage.origin, await seatOf(stage, made, index))
      await typist.synced()
      crowd.push(typist)
    }
    const { long, keys } = await watched(stage, made, crowd)
    const most = Math.max(0, ...long)
    report.below('the longest task of the page', most, { most: 200, write: ms })
    report.note('tasks over 50 ms', digits(long.length))
    report.below('its own key to the next frame, 95 %', quantile(keys, 0.95), {
      most: 100,
      write: ms,
    })
  } finally {
    for (const typist of crowd) typist.stop()
    await stage.close()
  }
  return {
    title: 'A page in a crowd',
    how:
      `A page in Chromium on a document in which ${typists} others type ${keysPerSecond} keys a second ` +
      `each for ${seconds} s, with carets, while its own person types too. All share the machine.`,
    rows: report.rows,
  }
}

async function watched(stage: Stage, made: StageDocument, crowd: readonly Typist[]): Promise<Seen> {
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await page.getByText('You own this document now.').waitFor()
  await page.getByText(line(typists)).click()
  await page.keyboard.press('End')
  await page.evaluate(observe)
  for (const typist of crowd) typist.start()
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) await page.keyboard.type('y', { delay: ownKeyEveryMs })
  return page.evaluate('window.seen') as Promise<Seen>
}

/** In the page. As text, since what compiles this file adds helpers of its own to functions. */
const observe = `
  window.seen = { long: [], keys: [] }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.seen.long.push(duration)
  }).observe({ type: 'longtask' })
  addEventListener('keydown', () => {
    const at = performance.now()
    requestAnimationFrame(() => setTimeout(() => window.seen.keys.push(performance.now() - at)))
  }, { capture: true })
`
