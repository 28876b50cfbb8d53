/**
 * What a test of the page plays on: the service in a process of its own (so that it can be killed),
 * a real Chromium, people (a browser context each) and agents (REST). Close it in `after`.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Child, startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import { startChromium } from './chromium.ts'

/** How long a slow machine may take for what must come to pass. */
const patienceMs = 30_000

export interface StageDocument {
  readonly slug: string
  /** The create's share address, absolute. */
  readonly shareAddress: string
  /** The creator's token, named "Quill". */
  readonly token: string
}

export class Stage {
  readonly origin: string
  readonly browser: Browser
  /** What pages said on their consoles as errors, and errors nobody caught. */
  readonly complaints: string[] = []
  readonly #port: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'stage-'))
  #data = join(this.#directory, 'data')
  #process: Child | undefined

  #settings: NodeJS.ProcessEnv

  private constructor(port: number, browser: Browser, settings: NodeJS.ProcessEnv) {
    this.#port = port
    this.#settings = settings
    this.origin = `http://127.0.0.1:${port}`
    this.browser = browser
  }

  /** `settings` of the service stand above the stage's own; undefined takes one away. */
  static async open(settings: NodeJS.ProcessEnv = {}): Promise<Stage> {
    const port = Number(settings['PORT'] ?? (await freePort()))
    const stage = new Stage(port, await startChromium(), settings)
    try {
      await stage.start()
    } catch (error) {
      // A browser that is left open keeps the process of the tests.
      await stage.close()
      throw error
    }
    return stage
  }

  /** Starts the service on the same port and data; resolves when it is ready. */
  async start(): Promise<void> {
    const child = startChild({ file: 'dist/main.js', env: this.#environment() })
    this.#process = child
    child.stdout.resume()
    child.stderr.pipe(process.stderr, { end: false })
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
      const answer = await fetch(`${this.origin}/readyz`).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }

  /** Stops politely, and starts with these settings above those it had. */
  async restart(settings: NodeJS.ProcessEnv): Promise<void> {
    await this.kill('SIGTERM')
    this.#settings = { ...this.#settings, ...settings }
    await this.start()
  }

  /** As a crash does; or politely, with SIGTERM. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** A backup of everything, from the running service; resolves with where it is. */
  async backup(): Promise<string> {
    const directory = join(this.#directory, `backup-${Date.now()}`)
    const env = this.#environment()
    const command = startChild({ file: 'dist/backup.js', args: [directory], env })
    command.stdout.resume()
    command.stderr.pipe(process.stderr, { end: false })
    const [code] = await once(command, 'exit')
    if (code !== 0) throw new Error(`the backup ended with ${code}`)
    return directory
  }

  /** From the next start on the service has what was backed up, and nothing newer. */
  restore(backup: string): void {
    this.#data = backup
  }

  /**
   * A page in a browser of its own, as a new person has it; but it keeps nothing ahead for when
   * there is no line, which costs more than opening it: `serviceWorkers: 'allow'` where that counts.
   * Nor does it slide and fade, which is waited for: `reducedMotion: 'no-preference'`.
   */
  async person(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      baseURL: this.origin,
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(patienceMs)
    page.on('pageerror', (error) => this.complaints.push(String(error.stack ?? error)))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
    return page
  }

  /** A document that an agent called Quill made. */
  async document(markdown: string): Promise<StageDocument> {
    const made = await this.call('POST', '/docs', { body: { markdown } })
    const slug = String(made['id'])
    const token = String(made['access_token'])
    await this.call('POST', '/agents/identify', { token, body: { slug, display_name: 'Quill' } })
    const shareAddress = new URL(String(made['share_url']), this.origin).href
    return { slug, token, shareAddress }
  }

  /** What stands in the document, from a read of its own. */
  async markdown({ slug, token }: StageDocument): Promise<string> {
    return String((await this.call('GET', `/docs/${slug}`, { token }))['markdown'])
  }

  /** The same once it is as wanted; else what it is after long enough a time. */
  async reads(document: StageDocument, wanted: string | RegExp): Promise<string> {
    const end = Date.now() + patienceMs
    for (;;) {
      const found = await this.markdown(document)
      const isSo = typeof wanted === 'string' ? found === wanted : wanted.test(found)
      if (isSo || Date.now() > end) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** A REST call; throws unless it succeeds. */
  async call(
    method: string,
    path: string,
    { token, body }: { readonly token?: string; readonly body?: unknown } = {},
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(this.origin + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }

  #environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      PORT: String(this.#port),
      BASE_URL: this.origin,
      DATA_DIR: this.#data,
      RATE_CREATE: '0',
      RATE_IDENTIFY: '0',
      RATE_ACCOUNT: '0',
      RATE_LOGIN: '0',
      RATE_DRY_RUN_MS: '0',
      RATE_WORK_MS: '0',
      RATE_WRITE_MB: '0',
      ...this.#settings,
    }
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.kill('SIGTERM')
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
