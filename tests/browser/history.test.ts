/**
 * History as a mode of the page (interface §4.11; extensions §12): who did what in which sitting,
 * any version with its changes marked, names, and the way back to an earlier text.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { seriousFindings } from './axe.ts'
import { agentEdits, person, setAccess, stopTypists, Typist } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { doFromMenu, openMenu } from './view-menu.ts'

const text = '# Plan\n\nfirst words\n\n- one\n- two\n- three\n\ngone soon\n\nlast words\n'

const stage = await Stage.open()
const edit = (sheet: StageDocument, from: string, to: string) =>
  agentEdits(stage, sheet, [{ old_string: from, new_string: to }])
/** On whichever document she came to last. */
const ann = await person(stage, await written(), 'Ann')
test.after(() => {
  stopTypists()
  return stage.close()
})

async function written(): Promise<StageDocument> {
  const sheet = await stage.document(text)
  await edit(sheet, 'first words', 'first better words')
  await edit(sheet, '- two\n', '')
  await edit(sheet, 'gone soon\n\n', '')
  return sheet
}

/** One more document, to which Ann goes. */
async function goesTo(sheet: StageDocument): Promise<StageDocument> {
  await ann.goto(sheet.shareAddress)
  await ann.waitForSelector('#text[data-synced="true"] .text[contenteditable="true"]')
  return sheet
}

const past = (page: Page) => page.locator('.history')
const shown = (page: Page) => past(page).getByRole('document')
const groups = (page: Page) => past(page).locator('.revision-group')

async function open(page: Page): Promise<void> {
  await doFromMenu(page, 'More', 'Version history')
  await shown(page).waitFor()
}

test('a version with its changes: what came, what is gone, by whom; Escape leaves', async () => {
  await ann.evaluate(() => window.scrollTo(0, 40))
  const before = await ann.evaluate(() => window.scrollY)
  await open(ann)
  const came = shown(ann).locator('.rev-came')
  await came.first().waitFor()
  assert.equal(await came.allTextContents(), ['better '])
  await shown(ann).locator('.rev-came[title="Added by Quill"]').waitFor()
  const line = await came.first().evaluate((node) => getComputedStyle(node).textDecorationLine)
  assert.is(line, 'underline', 'not by colour alone')
  const gone = shown(ann).locator('.rev-gone-blocks')
  assert.equal(await gone.allTextContents(), ['two', 'gone soon'])
  assert.is(await gone.first().evaluate(({ parentElement }) => parentElement?.tagName), 'UL')
  await past(ann).getByText('3 changes').waitFor()
  assert.equal(await seriousFindings(ann), [])
  await ann.keyboard.press('Escape')
  await past(ann).waitFor({ state: 'detached' })
  assert.is(await ann.evaluate(() => window.scrollY), before)
  assert.not.match(ann.url(), /history/)
})

test('groups by person, single revisions, the slider, and the address', async () => {
  const sheet = await written()
  const ben = await Typist.open(stage, sheet, 'Ben')
  ben.type('last words', ' of Ben')
  await stage.reads(sheet, /of Ben/)
  await goesTo(sheet)
  await open(ann)
  // Names come when the service has told them.
  await groups(ann).first().filter({ hasText: 'Ben' }).filter({ hasText: 'Quill' }).waitFor()
  await groups(ann)
    .first()
    .getByRole('button', { name: /revisions$/ })
    .click()
  await past(ann).locator('.revision').nth(1).click()
  await past(ann).getByText('1 change', { exact: true }).waitFor()
  assert.equal(await shown(ann).locator('.rev-gone-blocks').allTextContents(), ['gone soon'])
  const address = ann.url()
  assert.match(address, /\?history=\d+$/)
  await ann.reload()
  await shown(ann).locator('.rev-gone-blocks').waitFor()
  assert.is(ann.url(), address)
  const slider = past(ann).getByRole('slider')
  await slider.fill('1')
  await past(ann).getByText('The first version').waitFor()
  await shown(ann).getByText('first words', { exact: true }).waitFor()
  await ann.keyboard.press('Escape')
  await past(ann).waitFor({ state: 'detached' })
  await open(ann)
  await ann.goBack()
  await past(ann).waitFor({ state: 'detached' })
  await ann.locator('.text').getByText('of Ben').waitFor()
})

test('a name is given, found again, compared from, and taken away', async () => {
  await open(ann)
  const choose = async (row: number, entry: string) => {
    await groups(ann).nth(row).hover()
    await groups(ann).nth(row).getByRole('button', { name: 'Version menu' }).click()
    await ann.getByRole('menuitem', { name: entry }).click()
  }
  const count = await groups(ann).count()
  await choose(count - 1, 'Name this version…')
  const field = past(ann).getByRole('textbox', { name: 'Version name' })
  await ann.waitForFunction(() => document.activeElement?.matches('.revision-group-name .field'))
  await ann.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await groups(ann)
    .nth(count - 1)
    .getByRole('button', { name: 'Version menu' })
    .press('Enter')
  await ann.getByRole('menuitem', { name: 'Name this version…' }).press('Enter')
  await field.fill('As planned')
  await ann.keyboard.press('Enter')
  await past(ann).getByText('As planned', { exact: true }).waitFor()
  await past(ann).getByRole('checkbox', { name: 'Named versions only' }).check()
  assert.is(await groups(ann).count(), 1)
  await choose(0, 'Show changes since this version')
  await past(ann)
    .getByText(/^\d+ changes since As planned$/)
    .waitFor()
  await ann.reload()
  await past(ann).getByText('As planned', { exact: true }).waitFor()
  await choose(count - 1, 'Remove name')
  await past(ann).getByText('As planned', { exact: true }).waitFor({ state: 'detached' })
})

test('restoring asks, brings the text back with its authors, and can be undone alike', async () => {
  const sheet = await goesTo(await written())
  await open(ann)
  const restore = async (revision: number) => {
    await past(ann).getByRole('slider').fill(String(revision))
    await past(ann).getByRole('button', { name: 'Restore' }).click()
    const asked = ann.getByRole('alertdialog', { name: 'Restore this version?' })
    await asked.waitFor()
    return asked.getByRole('button', { name: /^Restore/ })
  }
  const now = Number((await stage.call('GET', `/docs/${sheet.slug}`, sheet))['revision'])
  await (await restore(1)).click()
  await past(ann).waitFor({ state: 'detached' })
  assert.is(await stage.reads(sheet, text), text)
  await ann.locator('.text').getByText('gone soon').waitFor()
  const { authorship } = await stage.call('GET', `/docs/${sheet.slug}?include=authorship`, sheet)
  assert.is((authorship as unknown[]).length, 1, 'all of it by who wrote it')
  await open(ann)
  const button = await restore(now)
  // Somebody writes while one is asked.
  await edit(sheet, 'last words', 'late words')
  await button.click()
  await ann.getByText('Someone has edited the document since.').waitFor()
  // And goes on writing.
  let edits = 0
  await ann.route('**/revert', async (route) => {
    if (edits < 3) await edit(sheet, 'late words', `late words ${++edits}`)
    await route.continue()
  })
  await ann.getByRole('button', { name: 'Restore anyway' }).click()
  await past(ann).waitFor({ state: 'detached' })
  await ann.unroute('**/revert')
  assert.is(edits, 3)
  const back = '# Plan\n\nfirst better words\n\n- one\n- three\n\nlast words\n'
  assert.is(await stage.reads(sheet, back), back)
  await restoresOverComments(ann, sheet)
})

/** Revision 1 has none of the words that these comments are on; one is told for each. */
async function restoresOverComments(ann: Page, sheet: StageDocument): Promise<void> {
  await edit(sheet, 'last words', 'a whole new paragraph\n\nlast words')
  const says = async (quote: string, said: string) => {
    const body = { quote, text: said }
    const made = await stage.call('POST', `/docs/${sheet.slug}/comments`, { ...sheet, body })
    return String(made['comment_id'])
  }
  await says('first better words', 'Moves along.')
  await says('a whole new', 'Has no place then.')
  await says('new paragraph', 'Is in the way.')
  const before = await stage.markdown(sheet)
  await open(ann)
  await past(ann).getByRole('slider').fill('1')
  await past(ann).getByRole('button', { name: 'Restore' }).click()
  const asked = ann.getByRole('alertdialog')
  const restore = asked.getByRole('button', { name: 'Restore', exact: true })
  await restore.click()
  await asked.getByRole('heading', { name: 'This affects 3 comments' }).waitFor()
  await asked.getByText('Choose what to do with').waitFor()
  assert.equal(await seriousFindings(ann), [])
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'detached' })
  assert.is(await stage.markdown(sheet), before)
  await past(ann).getByRole('button', { name: 'Restore' }).click()
  await restore.click()
  const decide = async (said: string, action: RegExp) => {
    await asked.getByRole('button', { name: `Action for “${said}”` }).click()
    await ann.getByRole('menuitemradio', { name: action }).click()
  }
  await asked.getByText('Move', { exact: true }).nth(2).waitFor()
  await decide('Has no place then.', /^Keep without a position/)
  await decide('Is in the way.', /^Delete/)
  await restore.click()
  await past(ann).waitFor({ state: 'detached' })
  assert.is(await stage.reads(sheet, text), text)
  const { threads } = await stage.call('GET', `/docs/${sheet.slug}/threads`, sheet)
  const kept = (threads as readonly { orphaned: boolean; comments: readonly { text: string }[] }[])
    .map(({ orphaned, comments: [root] }) => [root?.text, orphaned])
    .sort()
  const wanted = [
    ['Has no place then.', true],
    ['Moves along.', false],
  ]
  assert.equal(kept, wanted)
}

test('undo after restoring takes the restoring back, and doubles no words', async () => {
  const sheet = await goesTo(await stage.document('The quarry is open.\n'))
  await ann
    .locator('.text')
    .getByText('quarry')
    .dblclick({ position: { x: 40, y: 8 } })
  await ann.keyboard.type('pit')
  const typed = await stage.reads(sheet, /pit/)
  await open(ann)
  await past(ann).getByRole('slider').fill('1')
  await past(ann).getByRole('button', { name: 'Restore' }).click()
  const asked = ann.getByRole('alertdialog', { name: 'Restore this version?' })
  await asked.getByRole('button', { name: /^Restore/ }).click()
  await past(ann).waitFor({ state: 'detached' })
  assert.is(await stage.reads(sheet, 'The quarry is open.\n'), 'The quarry is open.\n')
  await ann.locator('.text').getByText('The quarry is open.').waitFor()
  await ann.locator('.text').click()
  await ann.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, typed), typed)
  await ann.locator('.text').getByText('pit').waitFor()
  await ann.keyboard.press('Control+z')
  await ann.waitForTimeout(300)
  assert.is(await stage.markdown(sheet), typed)
})

test('pictures of elsewhere are not loaded for what is gone', async () => {
  const image = `${stage.origin}/icon.svg?elsewhere`.replace('127.0.0.1', 'localhost')
  const sheet = await stage.document(`# Plan\n\n![a map](${image})\n\nlast\n`)
  await edit(sheet, `![a map](${image})\n\n`, '')
  await goesTo(sheet)
  const asked: string[] = []
  ann.on('request', (request) => asked.push(request.url()))
  await open(ann)
  await shown(ann).getByText('[a map]').waitFor()
  assert.equal(
    asked.filter((url) => url.includes('elsewhere')),
    [],
  )
})

test('who writes is at the caret again', async () => {
  const sheet = await goesTo(await written())
  await ann.locator('.text').getByText('last words').click()
  await ann.keyboard.press('End')
  await ann.keyboard.press('ControlOrMeta+Alt+Shift+h')
  await shown(ann).waitFor()
  await ann.keyboard.press('ControlOrMeta+f')
  assert.is(await ann.locator('.find-bar').count(), 0, 'the page beneath has no keys')
  await ann.keyboard.press('Escape')
  await ann.waitForFunction(() => document.activeElement?.matches('.column .text'))
  await ann.keyboard.type(' more')
  const after = '# Plan\n\nfirst better words\n\n- one\n- three\n\nlast words more\n'
  assert.is(await stage.reads(sheet, after), after)
})

test('on a phone the timeline is below the text, and both can be read', async () => {
  const sheet = await written()
  const pocket = await person(stage, sheet, 'Ann', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await open(pocket)
  await shown(pocket).locator('.rev-came').waitFor()
  const box = (selector: string) =>
    pocket.locator(selector).evaluate((node) => {
      const { top, bottom, width } = node.getBoundingClientRect()
      return { top, bottom, width }
    })
  const [text, timeline] = [await box('.history-text'), await box('.timeline')]
  assert.ok(timeline.top >= text.bottom && text.bottom - text.top > 300)
  assert.equal([text.width, timeline.width], [390, 390])
  assert.equal(await seriousFindings(pocket), [])
  await pocket.goBack()
  await past(pocket).waitFor({ state: 'detached' })
  await pocket.context().close()
})

test('who may not edit is told nothing of it', async () => {
  const sheet = await goesTo(await written())
  await setAccess(ann, sheet, 'viewer')
  const vic = await stage.person()
  await vic.goto(`${stage.origin}/d/${sheet.slug}?history`)
  await vic.waitForSelector('.text[contenteditable="false"] [data-id]')
  const menu = await openMenu(vic, 'More')
  assert.is(await menu.getByRole('menuitem', { name: 'Version history' }).count(), 0)
  await vic.keyboard.press('Escape')
  await vic.keyboard.press('ControlOrMeta+Alt+Shift+h')
  assert.is(await past(vic).count(), 0)
  await vic.context().close()
})

test.run()
