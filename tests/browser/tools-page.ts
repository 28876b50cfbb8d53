/** A person with a name at a document of the service, for the tests of the editor's tools. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { Stage, type StageDocument } from './stage.ts'

export class ToolsPage {
  readonly stage: Stage
  readonly page: Page
  document: StageDocument | undefined

  private constructor(stage: Stage, page: Page) {
    this.stage = stage
    this.page = page
  }

  static async open(options: BrowserContextOptions = {}): Promise<ToolsPage> {
    const stage = await Stage.open()
    return ToolsPage.beside(stage, options)
  }

  /** Another person, or the same on another device. */
  static async beside(stage: Stage, options: BrowserContextOptions = {}): Promise<ToolsPage> {
    const page = await stage.person(options)
    const made = await page.request.post(`${stage.origin}/auth/guest`, {
      data: { name: 'Ada' },
      headers: { Origin: stage.origin },
    })
    assert.ok(made.ok(), `a guest account: ${made.status()}`)
    return new ToolsPage(stage, page)
  }

  get text(): Locator {
    return this.page.getByRole('textbox', { name: 'Document text' })
  }

  /** Opens a new document that reads `markdown`, with the caret at its end. */
  async write(markdown: string): Promise<void> {
    this.document = await this.stage.document(markdown)
    await this.page.goto(this.document.shareAddress)
    await this.page.waitForSelector('main[data-synced="true"]')
    await this.page.getByText('You now own this document').waitFor()
    await this.text.focus()
    await this.press('Control+End')
  }

  /** Waits until the document reads so at the service. */
  async reads(markdown: string): Promise<void> {
    assert.ok(this.document)
    const wanted = markdown === '' ? '' : `${markdown}\n`
    assert.is((await this.stage.reads(this.document, wanted)).trimEnd(), markdown)
  }

  /** Whatever had the keys has given them back to the text. */
  async backInText(): Promise<void> {
    await this.page.waitForFunction(() => document.activeElement?.matches('.text'))
  }

  type(words: string): Promise<void> {
    return this.page.keyboard.type(words)
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  async close(): Promise<void> {
    await this.stage.close()
  }
}
