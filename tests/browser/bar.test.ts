/** The bar over a document: its menus by mouse and keyboard, and what they do, also on a phone. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { comesToRest } from './axe.ts'
import { Stage } from './stage.ts'
import { chooseLook, doFromMenu, openMenu, showAs, toggleAuthors } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const opened = (page: Page) => page.waitForSelector('main[data-synced="true"]')

test('what is typed right after a click in the bar is in the text', async () => {
  const document = await stage.document('Words.\n')
  const page = await stage.person()
  await page.goto(document.shareAddress)
  await opened(page)
  await page.locator('.text').getByText('Words.').click()
  await page.keyboard.press('End')
  const choices = [
    () => toggleAuthors(page),
    () => showAs(page, 'Page and source'),
    () => showAs(page, 'Page'),
    () => chooseLook(page, 'Width', 'Wide'),
    () => chooseLook(page, 'Text size', 'Large'),
    () => chooseLook(page, 'Theme', 'Dark'),
    // Opened and left again.
    async () => {
      await openMenu(page, 'View')
      await page.keyboard.press('Escape')
    },
    async () => {
      await openMenu(page, 'More')
      await page.getByRole('banner').getByRole('button', { name: 'More' }).click()
    },
  ]
  let typed = ''
  for (const choose of choices) {
    await choose()
    await page.keyboard.type('x')
    typed += 'x'
    const wanted = `Words.${typed}\n`
    assert.is(await stage.reads(document, wanted), wanted)
  }
  await page.context().close()
})

test('Share is the only filled button, on a phone too', async () => {
  const document = await stage.document('# Plan\n')
  const page = await stage.person()
  await page.goto(document.shareAddress)
  await opened(page)
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.mouse.move(width / 2, 500)
    await comesToRest(page)
    const filled = await page
      .getByRole('banner')
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons
          .filter((one) => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)')
          .map((one) => one.getAttribute('aria-label') ?? one.textContent),
      )
    assert.equal(filled, ['Share'], String(width))
  }
  await page.context().close()
})

test('by the keyboard: arrows, Space stays, Enter closes, Escape is at the button again', async () => {
  const document = await stage.document('# Keys\n')
  const page = await stage.person()
  await page.goto(document.shareAddress)
  await opened(page)
  const button = page.getByRole('banner').getByRole('button', { name: 'View' })
  const isFocused = (role: 'menuitemradio' | 'menuitemcheckbox', name: string) =>
    page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).first().waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
  await isFocused('menuitemradio', 'Page')
  for (const name of ['Source', 'Page and source']) {
    await page.keyboard.press('ArrowDown')
    await isFocused('menuitemradio', name)
  }
  await page.keyboard.press('ArrowDown')
  await isFocused('menuitemcheckbox', 'Authors')
  await page.keyboard.press('Space')
  await page.getByRole('complementary', { name: 'Authors' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await isFocused('menuitemradio', 'Normal')
  await page.keyboard.press('ArrowRight')
  await isFocused('menuitemradio', 'Wide')
  await page.keyboard.press('Space')
  assert.is(await page.getAttribute('html', 'data-text-width'), 'wide')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await button.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await isFocused('menuitemradio', 'Page')
  await page.keyboard.press('ArrowDown')
  await isFocused('menuitemradio', 'Source')
  await page.keyboard.press('Enter')
  await page.locator('.source .cm-content').waitFor()
  assert.is(await page.getByRole('menu').count(), 0)
  await page.context().close()
})

test('width and size of the text are this device’s, there at the next visit', async () => {
  const document = await stage.document('# Title\n\nWords.\n')
  const page = await stage.person({ viewport: { width: 1440, height: 800 } })
  const shown = async () => {
    await opened(page)
    const words = page.locator('.text p')
    const size = await words.evaluate((p) => getComputedStyle(p).fontSize)
    return [size, (await words.boundingBox())?.width]
  }
  await page.goto(document.shareAddress)
  assert.equal(await shown(), ['17px', 720])
  await chooseLook(page, 'Width', 'Wide')
  await chooseLook(page, 'Text size', 'Large')
  assert.equal(await shown(), ['20px', 960])
  await page.reload()
  assert.equal(await shown(), ['20px', 960])
  await chooseLook(page, 'Width', 'Normal')
  await chooseLook(page, 'Text size', 'Small')
  assert.equal(await shown(), ['15px', 720])
  await page.context().close()
})

test('a hairline stands under the bar once there is text above', async () => {
  const document = await stage.document('Line.\n\n'.repeat(80))
  const page = await stage.person()
  await page.goto(document.shareAddress)
  await opened(page)
  const line = () => page.locator('.bar').evaluate((bar) => getComputedStyle(bar).borderBottomColor)
  const none = 'rgba(0, 0, 0, 0)'
  assert.is(await line(), none)
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 300)
  await page.waitForSelector('.bar[data-over-text]')
  assert.is.not(await line(), none)
  await page.mouse.wheel(0, -400)
  await page.waitForSelector('.bar:not([data-over-text])')
  assert.is(await line(), none)
  await page.context().close()
})

test('more: words are counted, of the document and of what is selected; find; a new document', async () => {
  const document = await stage.document('---\na: b\n---\n\n# One two\n\nthree *four*, 世界.\n')
  const page = await stage.person()
  await page.goto(document.shareAddress)
  await opened(page)
  const rows = () => page.getByRole('dialog').getByRole('row').allInnerTexts()
  await doFromMenu(page, 'More', 'Word count')
  await page.getByRole('dialog', { name: 'Word count' }).waitFor()
  assert.equal((await rows()).slice(1), [
    'Words\t5',
    'Characters\t22',
    'Reading time\tunder a minute',
  ])
  await page.keyboard.press('Escape')
  await page.locator('.text h1').click({ clickCount: 3 })
  await doFromMenu(page, 'More', 'Word count')
  await page.getByRole('dialog', { name: 'Word count' }).waitFor()
  assert.equal((await rows()).slice(1, 3), ['Words\t2\t5', 'Characters\t7\t22'])
  await page.keyboard.press('Escape')
  await page.waitForSelector('.text:focus')
  await doFromMenu(page, 'More', 'Find and replace')
  await page.getByRole('textbox', { name: 'Find' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await doFromMenu(page, 'More', 'Keyboard shortcuts')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForSelector('.text:focus')
  const before = page.url()
  await doFromMenu(page, 'More', 'New document')
  await page.waitForURL((url) => url.href !== before && /\/d\/[^/?]+$/.test(url.href))
  await page.context().close()
})

test('on a phone the bar has room for the title, whatever the state is; a tap tells the state', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const document = await stage.document('# The reading room\n')
  const page = await stage.person(phone)
  await page.goto(document.shareAddress)
  await opened(page)
  const boxes = () =>
    page.locator('.bar > *:not(.bar-space)').evaluateAll((parts) =>
      parts
        .map((part) => part.getBoundingClientRect())
        .map(({ left, right, width }) => ({
          left,
          right,
          width,
        })),
    )
  const fits = async (state: string) => {
    const all = await boxes()
    assert.is(all.length, 6, state)
    for (const [index, { left }] of all.entries()) {
      assert.ok(left >= (all[index - 1]?.right ?? 0), `${state}: part ${index} has its own place`)
    }
    assert.ok((all.at(-1)?.right ?? 0) <= 390, state)
    assert.ok((all[1]?.width ?? 0) >= 60, `${state}: the title has ${all[1]?.width} px`)
  }
  await page.locator('.text').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' opens')
  await page.getByText('Saved').waitFor()
  await fits('saved')
  await stage.kill()
  await page.keyboard.type(' and so on')
  const state = page.locator('.state-button')
  await state.getByText(/^(Offline|Connecting…)$/).waitFor()
  await fits('offline')
  await state.tap()
  await page.locator('.notice', { hasText: /saved on this device|keep this page open/ }).waitFor()
  await page.context().close()
  await stage.start()
})

test('the text is in the middle, and slides where something comes to stand beside it', async () => {
  const document = await stage.document('Words.\n')
  const slides = async (
    reducedMotion: 'reduce' | 'no-preference',
    before?: (page: Page) => unknown,
  ) => {
    const page = await stage.person({ viewport: { width: 1280, height: 700 }, reducedMotion })
    await page.goto(document.shareAddress)
    await opened(page)
    const column = page.locator('.column')
    const left = () => column.evaluate((element) => element.getBoundingClientRect().left)
    assert.is(await left(), (1280 - 720) / 2)
    await column.evaluate((element) => {
      const animate = element.animate.bind(element)
      element.animate = (frames, timing) => {
        element.dataset['slid'] = JSON.stringify([frames, timing])
        return animate(frames, timing)
      }
    })
    await before?.(page)
    await toggleAuthors(page)
    await page.getByRole('complementary', { name: 'Authors' }).waitFor()
    await comesToRest(page)
    assert.is(await left(), 1280 - 320 - 720)
    const slid = await column.getAttribute('data-slid')
    await page.context().close()
    return slid === null ? undefined : JSON.parse(slid)
  }
  const [frames, timing] = await slides('no-preference')
  assert.is(frames[0].translate, '40px 0')
  assert.is(timing.duration, 180)
  assert.is(await slides('reduce'), undefined)
  const typing = async (page: Page) => {
    await page.locator('.text').click()
    await page.locator('.text').evaluate((text) => {
      // Keys that come all the while the menu is open.
      setInterval(() => text.dispatchEvent(new Event('input', { bubbles: true })), 50)
    })
  }
  assert.is(await slides('no-preference', typing), undefined, 'never under hands that type')
})

/** What is under way when the service is killed is reset; what its worker asks for then fails. */
const ofTheKill = /net::ERR_(?:CONNECTION_(?:REFUSED|RESET)|FAILED)/

test('no page complained', () => {
  const unexpected = stage.complaints.filter(
    (text) => !/status of 40[14]|WebSocket connection to/.test(text) && !ofTheKill.test(text),
  )
  assert.equal(unexpected, [])
})

test.run()
