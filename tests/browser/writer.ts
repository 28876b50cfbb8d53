/** A person who writes: a page with an account, open on a document, and what hands do there. */
import type { Locator, Page } from 'playwright-core'
import type { Stage, StageDocument } from './stage.ts'

/** The service has acknowledged all that this page made: it would let one leave without a word. */
export async function nothingUnsaved(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    window.dispatchEvent(new Event('beforeunload', { cancelable: true })),
  )
}

export interface Clip {
  readonly html?: string
  readonly text?: string
  readonly types?: Readonly<Record<string, string>>
}

export class Writer {
  readonly page: Page
  readonly #stage: Stage
  readonly #document: StageDocument

  private constructor(stage: Stage, document: StageDocument, page: Page) {
    this.#stage = stage
    this.#document = document
    this.page = page
  }

  static async open(stage: Stage, document: StageDocument, name = 'Ann'): Promise<Writer> {
    const page = await stage.person()
    const headers = { Origin: stage.origin }
    await page.request.post('/auth/guest', { data: { name }, headers })
    await page.goto(document.shareAddress)
    await page.locator('.text[contenteditable="true"] [data-id]').first().waitFor()
    return new Writer(stage, document, page)
  }

  /** Clicks, and lets the editor hear of the new selection, as hands are slow enough to do. */
  async clickInto(place: Locator): Promise<void> {
    await place.click()
    await this.page.waitForTimeout(60)
  }

  /** Caret at the end of the first line with these words. */
  async caretAfter(words: string): Promise<void> {
    await this.clickInto(this.page.locator('.text').getByText(words).first())
    await this.page.keyboard.press('End')
  }

  async selectAll(): Promise<void> {
    await this.page.locator('.text').focus()
    await this.page.keyboard.press('Control+a')
  }

  /** What a paste of this clipboard does; the browser's own clipboard stays out of it. */
  async paste({ html, text, types = {} }: Clip): Promise<void> {
    const data = {
      ...(html === undefined ? {} : { 'text/html': html }),
      ...(text === undefined ? {} : { 'text/plain': text }),
      ...types,
    }
    await this.page.evaluate(async (entries) => {
      // The editor hears of a new selection in a task of its own.
      await new Promise((resolve) => setTimeout(resolve, 100))
      const clipboardData = new DataTransfer()
      for (const [type, value] of Object.entries(entries)) clipboardData.setData(type, value)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.text')?.dispatchEvent(event)
    }, data)
  }

  /** What reads and prints markdown comes with the first selection: until the page has it. */
  async printerIsThere(): Promise<void> {
    const names = ['markdown', 'cells', 'copied-code', 'foreign-html', 'own-copy']
    await this.page.waitForFunction((names) => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return names.every((part) => loaded.some((name) => name.includes(`/${part}-`)))
    }, names)
    await this.page.evaluate(async (names) => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      const parts = loaded.filter((name) => names.some((part) => name.includes(`/${part}-`)))
      // The page asked for them first, and has them a task later.
      await Promise.all(parts.map((name) => import(name)))
      await new Promise((resolve) => setTimeout(resolve))
    }, names)
  }

  /** What a copy or cut puts on the clipboard. */
  async take(kind: 'copy' | 'cut'): Promise<{ html: string; text: string }> {
    await this.printerIsThere()
    return this.page.evaluate(async (type) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      const clipboardData = new DataTransfer()
      const event = new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.text')?.dispatchEvent(event)
      return {
        html: clipboardData.getData('text/html'),
        text: clipboardData.getData('text/plain'),
      }
    }, kind)
  }

  /** The document's markdown once the service has it as `expected`, else what it has in the end. */
  saved(expected: string): Promise<string> {
    return this.#stage.reads(this.#document, expected)
  }
}
