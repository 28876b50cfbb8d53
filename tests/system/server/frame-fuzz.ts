/**
 * Law 5 over real sockets: attackers send frames that are wrong in every way while one honest
 * person types into the same document. The service neither ends, nor stalls, nor grows, nor takes
 * any of it for its own fault, and the honest person loses no key.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'
import { pace } from '../../pace.ts'
import { Copy, textsOf, within } from '../../unit/server/wire.ts'
import { FrameMutants } from './frame-mutants.ts'
import type { Stats } from './watched-service.ts'

export interface FuzzResult extends Stats {
  readonly frames: number
  readonly sockets: number
  /** How often sockets were ended with which code. */
  readonly closes: Readonly<Record<number, number>>
  readonly heapBefore: number
  readonly ms: number
}

const attackers = 12

export class Host {
  readonly #child: ChildProcess
  readonly #ended: Promise<never>

  constructor() {
    const file = fileURLToPath(new URL('./watched-service.ts', import.meta.url))
    this.#child = fork(file, { execArgv: ['--import', 'tsx', '--expose-gc'] })
    this.#ended = new Promise((_, reject) => {
      this.#child.on('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    })
    this.#ended.catch(() => undefined)
  }

  async message<T>(): Promise<T> {
    const told = new Promise<T>((resolve) => this.#child.once('message', resolve as () => void))
    return within(Promise.race([told, this.#ended]), 'the service', 30_000)
  }

  send(message: string): void {
    this.#child.send(message)
  }

  stats(): Promise<Stats> {
    const told = this.message<Stats>()
    this.send('stats')
    return told
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

export async function fuzzFrames(seed: number, frames: number): Promise<FuzzResult> {
  const started = performance.now()
  const host = new Host()
  try {
    const { port } = await host.message<{ port: number }>()
    const address = `127.0.0.1:${port}`
    const document = await createDocument(address, '# Title\n\nSome words\n\n- one\n- two\n')
    const path = `/docs/${document.slug}`
    const honest = new Copy(address, `${path}/live?events=json`, document)
    await honest.synced()
    const state = Y.encodeStateAsUpdate(honest.ydoc)
    const heapBefore = (await host.stats()).heapBytes
    const campaign = new Campaign(frames)
    void campaign.passed(frames / 10).then(() => host.send('watch'))
    const typing = typeMeanwhile(honest, campaign)
    await Promise.all(
      Array.from({ length: attackers }, (_, index) => {
        const mutants = new FrameMutants(seed * 1000 + index, state)
        const to = index === 0 ? `${path}/changes/connect` : `${path}/live`
        const token = index % 4 === 1 ? document.share : document.token
        return campaign.attack(`ws://${address}${to}`, token, mutants)
      }),
    )
    await typing
    await assertConverged(address, path, document, honest)
    const stats = await host.stats()
    honest.stop()
    const { sockets, closes } = campaign
    const ms = Math.round(performance.now() - started)
    return { ...stats, frames, sockets, closes, heapBefore, ms }
  } finally {
    host.stop()
  }
}

class Campaign {
  readonly closes: Record<number, number> = {}
  sockets = 0
  #left: number
  #waiting: { readonly at: number; readonly resolve: () => void }[] = []

  constructor(frames: number) {
    this.#left = frames
  }

  get isOver(): boolean {
    return this.#left <= 0
  }

  /** Resolves when so many more frames were sent. */
  passed(frames: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: Math.max(0, this.#left - frames), resolve })
    })
  }

  #count(): void {
    this.#left--
    const due = this.#waiting.filter(({ at }) => at >= this.#left)
    this.#waiting = this.#waiting.filter(({ at }) => at < this.#left)
    for (const { resolve } of due) resolve()
  }

  /** Sends frames one by one, each handled before the next; a socket that is ended is replaced. */
  async attack(address: string, token: string, mutants: FrameMutants): Promise<void> {
    while (!this.isOver) {
      const socket = await this.#open(address, token)
      const closed = new Promise<false>((resolve) => {
        socket.on('close', (code) => {
          this.closes[code] = (this.closes[code] ?? 0) + 1
          resolve(false)
        })
      })
      for (let isOpen = true; isOpen && !this.isOver; ) {
        this.#count()
        socket.send(mutants.next())
        const pong = new Promise<true>((resolve) => socket.once('pong', () => resolve(true)))
        if (socket.readyState === WebSocket.OPEN) socket.ping()
        isOpen = await within(Promise.race([pong, closed]), 'a pong or a close')
        if (isOpen && mutants.below(200) === 0) break
      }
      socket.terminate()
    }
  }

  #open(address: string, token: string): Promise<WebSocket> {
    this.sockets++
    const headers = { authorization: `Bearer ${token}` }
    const socket = new WebSocket(address, { headers, perMessageDeflate: false })
    const opened = new Promise<WebSocket>((resolve, reject) => {
      socket.on('open', () => resolve(socket))
      socket.on('error', reject)
      socket.on('unexpected-response', (_, { statusCode }) => reject(new Error(`${statusCode}`)))
    })
    return within(opened, 'an open socket')
  }
}

/** A key, then its `saved`, then the next, for as long as the attack goes on. */
async function typeMeanwhile(honest: Copy, campaign: Campaign): Promise<void> {
  let keys = 0
  const saved = () =>
    Number(Reflect.get(Object(honest.events('saved').at(-1)?.['data']), 'updates'))
  const settledBefore = saved() || 0
  while (!campaign.isOver) {
    typeOneKey(honest.ydoc)
    keys++
    const done = settledBefore + keys
    await honest.until(() => saved() >= done || honest.closeCode !== undefined, `key ${keys} saved`)
    assert.is(honest.closeCode, undefined, 'the honest socket stays open')
    if (!campaign.isOver) await campaign.passed(50)
  }
  assert.ok(keys > 5, `${keys} keys were typed meanwhile`)
}

/** In the first text, or in a paragraph of its own when the attackers left none. */
function typeOneKey(ydoc: Y.Doc): void {
  const [text] = textsOf(ydoc)
  if (text !== undefined) {
    text.insert(0, 'k')
    return
  }
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText('k')])
  ydoc.getXmlFragment(fragmentName).push([paragraph])
}

async function assertConverged(
  address: string,
  path: string,
  document: { readonly token: string },
  honest: Copy,
): Promise<void> {
  const fresh = await new Copy(address, `${path}/live`, document).synced()
  const vector = () => Buffer.from(Y.encodeStateVector(honest.ydoc)).toString('hex')
  const wanted = Buffer.from(Y.encodeStateVector(fresh.ydoc)).toString('hex')
  await honest.until(() => vector() === wanted, 'the honest copy to have everything')
  assert.is(honest.text, fresh.text)
  fresh.stop()
}

export async function createDocument(address: string, markdown: string) {
  const headers = { 'content-type': 'application/json' }
  const post = async (path: string, body: unknown, extra: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...headers, ...extra }, body: JSON.stringify(body) }
    const answer = await fetch(`http://${address}${path}`, init)
    return (await answer.json()) as Record<string, unknown>
  }
  const made = await post('/docs', { markdown })
  const slug = String(made['id'])
  const token = String(made['access_token'])
  const share = String(made['share_url']).split('token=')[1] ?? ''
  await post(
    '/agents/identify',
    { display_name: 'Ada', slug },
    { authorization: `Bearer ${token}` },
  )
  return { slug, token, share }
}

/** Prints what was done and holds it against the bounds. */
export function assertUnharmed(seed: number, result: FuzzResult, growthMaxBytes: number): void {
  const { frames, sockets, closes, longestTurnMs, heapBytes, heapBefore, ms } = result
  const grown = Math.round((heapBytes - heapBefore) / 1024)
  console.log(
    `seed ${seed} frame fuzz: ${frames} frames, ${sockets} sockets, longest turn ` +
      `${longestTurnMs.toFixed(0)} ms, heap +${grown} KiB, closes ${JSON.stringify(closes)}, ${ms} ms`,
  )
  assert.equal(result.errors, [], 'nothing was the fault of the service')
  const most = 100 * pace()
  assert.ok(longestTurnMs < most, `a turn took ${longestTurnMs} of ${most} ms`)
  assert.ok(heapBytes - heapBefore < growthMaxBytes, `the heap grew by ${grown} KiB`)
  assert.ok((closes[4403] ?? 0) > 0, 'some of it was refused')
}
