/**
 * A document of 10,000 blocks under hands: what a key costs in it, what is done to all of it at
 * once, and what others write meanwhile. Each is measured from the key to the next drawn frame, on
 * the clock and, by the browser's own count, in processor time of its main thread; and in that until
 * it was at rest again. What was done before is saved by then.
 */
import type { CDPSession, Page } from 'playwright-core'
import { agentEdits, person } from '../../tests/browser/company.ts'
import type { Stage, StageDocument } from '../../tests/browser/stage.ts'
import { nothingUnsaved } from '../../tests/browser/writer.ts'
import { documentOf } from '../text.ts'

declare global {
  interface Window {
    __drawn: number
  }
}

/** Milliseconds. */
export interface Cost {
  /** From the first key until the frame after the last one is drawn. */
  readonly drawn: number
  /** Processor time of the page's main thread until then: what holds up the next key. */
  readonly held: number
  /** Processor time of the page's main thread until it was at rest. */
  readonly worked: number
}

/** The page is at rest when its main thread has worked less than this in one look. */
const restMs = 40
const lookMs = 400

/** A page with a document, and what things cost there. */
export class WholePage {
  readonly page: Page
  readonly document: StageDocument
  readonly #stage: Stage
  readonly #cdp: CDPSession

  private constructor(stage: Stage, document: StageDocument, page: Page, cdp: CDPSession) {
    this.#stage = stage
    this.document = document
    this.page = page
    this.#cdp = cdp
  }

  static async open(stage: Stage, markdown = documentOf(10_000)): Promise<WholePage> {
    const document = await stage.document(markdown)
    const page = await person(stage, document, 'Ann')
    page.setDefaultTimeout(120_000)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    const whole = new WholePage(stage, document, page, cdp)
    await whole.rest()
    return whole
  }

  close(): Promise<void> {
    return this.page.context().close()
  }

  async #worked(): Promise<number> {
    const { metrics } = await this.#cdp.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }

  /** Resolves when the main thread has nothing to do, with what it has worked in all. */
  async rest(): Promise<number> {
    for (let before = await this.#worked(); ; ) {
      await this.page.waitForTimeout(lookMs)
      const now = await this.#worked()
      if (now - before < restMs) return now
      before = now
    }
  }

  /** What one thing costs that begins with a key or click in the page. */
  async cost(act: () => Promise<void>): Promise<Cost> {
    await nothingUnsaved(this.page)
    const before = await this.rest()
    await this.page.evaluate(
      (begins) => {
        window.__drawn = 0
        const controller = new AbortController()
        for (const type of begins) {
          window.addEventListener(
            type,
            (event) => {
              // A modifier on its way down is not yet the key.
              const isModifier = /^(Control|Shift|Alt)$/.test((event as KeyboardEvent).key)
              if (isModifier) return
              controller.abort()
              const { port1, port2 } = new MessageChannel()
              port1.onmessage = () => {
                window.__drawn = performance.now() - event.timeStamp
              }
              requestAnimationFrame(() => port2.postMessage(0))
            },
            { capture: true, signal: controller.signal },
          )
        }
      },
      ['keydown', 'click'],
    )
    await act()
    await this.page.waitForFunction(() => window.__drawn > 0)
    const held = (await this.#worked()) - before
    const worked = (await this.rest()) - before
    return { drawn: await this.page.evaluate(() => window.__drawn), held, worked }
  }

  press(...keys: readonly string[]): () => Promise<void> {
    return async () => {
      for (const key of keys) await this.page.keyboard.press(key)
    }
  }

  /** What the page works when an agent writes into the block with these words. */
  async edit(words: string): Promise<number> {
    const before = await this.rest()
    const [old_string, new_string] = [words, `${words} by an agent`]
    await this.page.evaluate((wanted) => {
      window.__drawn = 0
      new MutationObserver((records, self) => {
        if (!records.some(({ target }) => target.textContent?.includes(wanted))) return
        self.disconnect()
        window.__drawn = 1
      }).observe(document.querySelector('.text') as Element, {
        subtree: true,
        childList: true,
        characterData: true,
      })
    }, new_string)
    await agentEdits(this.#stage, this.document, [{ old_string, new_string }])
    await this.page.waitForFunction(() => window.__drawn > 0)
    return (await this.rest()) - before
  }

  async heap(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#cdp.send('Runtime.getHeapUsage')
    return usedSize
  }
}
