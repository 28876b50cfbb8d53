/**
 * What is loaded with its first use may take its time, and hands go on meanwhile: it acts where it
 * was asked for, on what it was asked for, and takes nothing away that was written since.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits, person } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { highlighted, told } from './thread-page.ts'
import type { Clip } from './writer.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const markdown = 'First words here.\n\nSecond words there.\n'

interface Slow {
  readonly page: Page
  readonly sheet: StageDocument
  /** What was held up comes now. */
  release(): void
}

/** A page on whose way these scripts are held up. */
async function slow(scripts: RegExp): Promise<Slow> {
  const sheet = await stage.document(markdown)
  const page = await person(stage, sheet, 'Ada')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(scripts, async (route) => {
    await released
    await route.continue()
  })
  return { page, sheet, release }
}

/** Selects these words, or puts the caret behind them. */
async function at(page: Page, wanted: string, isSelected = false): Promise<void> {
  await page.locator('.text').evaluate(
    async (element, [words, selects]) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const from = node.textContent?.indexOf(words) ?? -1
        if (from < 0) continue
        ;(element as HTMLElement).focus()
        const end = from + words.length
        getSelection()?.setBaseAndExtent(node, selects ? from : end, node, end)
        // The editor hears of a new selection in a task of its own.
        await new Promise((resolve) => setTimeout(resolve, 100))
        return
      }
      throw new Error(`no ${words}`)
    },
    [wanted, isSelected] as const,
  )
}

async function paste(page: Page, { html = '', text = '' }: Clip): Promise<void> {
  await page.evaluate(
    ([pasted, plain]) => {
      const clipboardData = new DataTransfer()
      if (pasted !== '') clipboardData.setData('text/html', pasted)
      clipboardData.setData('text/plain', plain)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector('.text')?.dispatchEvent(event)
    },
    [html, text] as const,
  )
}

const reader = /\/(?:printer|markdown|foreign-html|copied-code)-/
const bold = { html: '<p><b>bold</b></p>', text: 'bold' }

async function ends({ page, sheet, release }: Slow, wanted: string): Promise<void> {
  release()
  assert.is(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
}

test('what is pasted stands where the caret was, before what was typed on', async () => {
  const opened = await slow(reader)
  const { page } = opened
  await at(page, 'First ')
  await paste(page, bold)
  await page.keyboard.type(' and typed ')
  await ends(opened, 'First **bold** and typed words here.\n\nSecond words there.\n')
})

test('it takes the place of what was selected, and the caret stays where it is by then', async () => {
  const opened = await slow(reader)
  const { page, sheet } = opened
  await at(page, 'words', true)
  await paste(page, bold)
  await at(page, 'Second ')
  await page.keyboard.type('typed ')
  opened.release()
  const between = 'First **bold** here.\n\nSecond typed words there.\n'
  assert.is(await stage.reads(sheet, between), between)
  await page.keyboard.type('on ')
  await ends(opened, 'First **bold** here.\n\nSecond typed on words there.\n')
})

test('what was typed over the selection meanwhile stays', async () => {
  const opened = await slow(reader)
  const { page } = opened
  await at(page, 'words', true)
  await paste(page, bold)
  await page.keyboard.type(' typed')
  await ends(opened, 'First **bold** typed here.\n\nSecond words there.\n')
})

test('what others write meanwhile moves it along; two stand in their order', async () => {
  const opened = await slow(reader)
  const { page, sheet } = opened
  await at(page, 'First ')
  await paste(page, bold)
  await paste(page, { text: '`code`' })
  await agentEdits(stage, sheet, [{ old_string: 'First', new_string: 'Very first' }])
  await page.locator('.text').getByText('Very first').waitFor()
  await page.keyboard.type(' typed ')
  await ends(opened, 'Very first **bold**`code` typed words here.\n\nSecond words there.\n')
})

test('a file stands where it was let go', async () => {
  const opened = await slow(reader)
  const { page } = opened
  await page
    .locator('.text > p')
    .last()
    .evaluate((element) => {
      const { x, y, width } = element.getBoundingClientRect()
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['- from a file\n'], 'more.md'))
      const place = { clientX: x + width / 2, clientY: y + 2 }
      const event = { dataTransfer, bubbles: true, cancelable: true, ...place }
      element.dispatchEvent(new DragEvent('drop', event))
    })
  await at(page, 'First')
  await page.keyboard.type(' typed')
  await page.keyboard.press('Enter')
  await page.keyboard.type('More')
  const wanted = 'First typed\n\nMore words here.\n\n- from a file\n\nSecond words there.\n'
  await ends(opened, wanted)
})

test('a comment is about what was selected when it was begun', async () => {
  const { page, sheet, release } = await slow(/\/(?:new-comment|margin)-/)
  await at(page, 'words', true)
  await page.keyboard.press('Control+Alt+m')
  await page.keyboard.type(' typed')
  release()
  const field = page.getByRole('textbox', { name: 'Comment' })
  await field.fill('Why?')
  await field.press('Control+Enter')
  await page.locator('.text [class*="about-thr_"]').getByText('words').waitFor()
  const read = await stage.call('GET', `/docs/${sheet.slug}/threads`, { token: sheet.token })
  const [thread] = read['threads'] as { place: { words: string } }[]
  assert.is(thread?.place.words, 'words')
  assert.match(await stage.markdown(sheet), /^First words/, 'and nothing was typed over it')
  await page.context().close()
})

test('who deletes words with a comment before the cards are drawn is told of it', async () => {
  const { page, sheet, release } = await slow(/\/margin-/)
  const body = { quote: 'First', text: 'Why?' }
  await stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })
  await highlighted(page, ['First'])
  await at(page, 'First', true)
  await page.keyboard.press('Delete')
  await told(page, 'deleted text that has a comment')
  release()
  await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
  await highlighted(page, ['First'])
  await page.context().close()
})

test('what is suggested while the layer is on its way stands where each was typed', async () => {
  const { page, sheet, release } = await slow(/\/desk-layer-/)
  await at(page, 'First ')
  await page.keyboard.press('Control+Alt+Shift+x')
  await page.keyboard.type('one ')
  await at(page, 'Second ')
  await page.keyboard.type('two ')
  release()
  await page.locator('.proposed-in').nth(1).waitFor()
  assert.equal(await page.locator('.proposed-in').allInnerTexts(), ['one ', 'two '])
  assert.match(await page.locator('.text').innerText(), /First one words here\.\s+Second two words/)
  assert.is(await stage.markdown(sheet), markdown)
  await page.context().close()
})

test('what is deleted, formatted and typed on before the layer is there is suggested too', async () => {
  const { page, sheet, release } = await slow(/\/desk-layer-/)
  await at(page, 'First')
  await page.keyboard.press('Control+Alt+Shift+x')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('rmx')
  await page.keyboard.press('Backspace')
  await at(page, 'Second', true)
  await page.keyboard.press('Control+b')
  await at(page, 'there', true)
  await page.keyboard.press('Delete')
  release()
  await page.locator('.proposed-look', { hasText: 'Second' }).waitFor()
  await page.locator('.proposed-in', { hasText: 'rm' }).waitFor()
  await page.locator('.proposed-out', { hasText: 'there' }).waitFor()
  assert.is(await page.locator('.proposed-out').first().innerText(), 'st')
  assert.is(await page.locator('.proposed-in').innerText(), 'rm')
  assert.is(await stage.markdown(sheet), markdown)
  await page.context().close()
})

test('an emoji that is named before their book is there is put where it was named', async () => {
  const opened = await slow(/\/emoji-(?!menu)/)
  const { page } = opened
  await at(page, 'First ')
  await page.keyboard.type(':smile: then :nothing-is-called-so: ')
  await at(page, 'Second ')
  await page.keyboard.type(':tada:s ')
  const wanted = 'First 😄 then :nothing-is-called-so: words here.\n\nSecond 🎉s words there.\n'
  await ends(opened, wanted)
})

test('a page of the device that is chosen stands where it was asked for', async () => {
  const { page, sheet, release } = await slow(/\/choose-artifact-/)
  await at(page, 'here.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/artifact')
  await page.getByRole('option', { name: 'Artifact' }).waitFor()
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await at(page, 'Second')
  release()
  const buffer = Buffer.from('<!doctype html><title>Chosen</title><p>Chosen</p>')
  await (await choosing).setFiles({ name: 'chosen.html', mimeType: 'text/html', buffer })
  const wanted = /here\.\n\n```artifact\n\/docs\/\w+\/artifacts\/[\w-]+\n```\n\nSecond words/
  assert.match(await stage.reads(sheet, wanted), wanted)
  await page.context().close()
})

test.run()
