/**
 * The page on paper, and for those whom motion disturbs: what is printed, and what moves.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from './stage.ts'
import { toggleAuthors } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const opened = (page: Page) => page.waitForSelector('main[data-synced="true"]')

test('on paper: the text, all of it, and nothing of the page around it', async () => {
  const picture = '![A map](https://elsewhere.example/map.png)'
  const lines = Array.from({ length: 400 }, (_, at) => `Line ${at} of a long document.`)
  const made = await stage.document(['# Minutes', picture, ...lines].join('\n\n'))
  const page = await stage.person()
  await page.goto(made.shareAddress)
  await opened(page)
  await toggleAuthors(page)
  await page.locator('.text [data-by]').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const button of await page.getByRole('button').all()) {
    assert.not(await button.isVisible(), `printed: ${await button.innerText()}`)
  }
  assert.not(await page.getByText('Saved').isVisible())
  const looks = await page.evaluate(() => {
    const lines = [...document.querySelectorAll('.text p')].slice(1)
    const tinted = [...document.querySelectorAll('.text [data-by]')].filter((element) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(element)
      return backgroundColor !== 'rgba(0, 0, 0, 0)' || backgroundImage !== 'none'
    })
    const drawn = lines.filter((line) => line.checkVisibility({ contentVisibilityAuto: true }))
    return { lines: lines.length, drawn: drawn.length, tinted: tinted.length }
  })
  assert.equal(looks, { lines: 400, drawn: 400, tinted: 0 })
})

test('on paper it is light, whatever the theme', async () => {
  const made = await stage.document('# Minutes\n\nWords.\n')
  const page = await stage.person({ colorScheme: 'dark' })
  await page.context().addCookies([{ name: 'theme', value: 'dark', url: stage.origin }])
  await page.goto(made.shareAddress)
  await opened(page)
  const ink = () => page.locator('.text p').evaluate((line) => getComputedStyle(line).color)
  const dark = await ink()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  assert.is.not(await ink(), dark)
  assert.is(
    await page.locator('body').evaluate((b) => getComputedStyle(b).color),
    'rgb(31, 32, 35)',
  )
  await page.context().close()
})

test('nothing is asked of another origin, at home and in a document', async () => {
  const picture = '![A map](https://elsewhere.example/map.png)'
  const made = await stage.document(`# Here\n\n${picture}\n\n[there](https://elsewhere.example)\n`)
  const page = await stage.person()
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  page.on('websocket', (socket) => origins.add(new URL(socket.url()).origin.replace('ws', 'http')))
  await page.goto('/')
  await page.getByRole('button', { name: 'New document' }).waitFor()
  await page.goto(made.shareAddress)
  await opened(page)
  await page.getByRole('button', { name: /Load external images/ }).waitFor()
  assert.equal([...origins], [stage.origin])
})

test('nothing moves where motion is unwelcome', async () => {
  const made = await stage.document('# Calm\n\n- [ ] one\n\n```ts\nlet a\n```\n')
  const page = await stage.person({ reducedMotion: 'reduce' })
  await page.goto(made.shareAddress)
  await opened(page)
  await page.locator('.text p').first().click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/')
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
        const durations = `${transitionDuration}, ${animationName === 'none' ? '0s' : animationDuration}`
        return Math.max(...durations.split(',').map(Number.parseFloat)) > 0.01
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )
  assert.equal(moving, [])
})

test('no page complained', () => {
  assert.equal(stage.complaints, [])
})

test.run()
