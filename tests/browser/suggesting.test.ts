/**
 * Suggesting in the page: what is typed changes nothing in the document, is shown in place, kept on
 * the device and sent; what others suggest is drawn where its words are, and decided there.
 */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { becomes } from '../waiting.ts'
import { comesToRest } from './axe.ts'
import { agentEdits, person, agentSuggests as suggestsOf } from './company.ts'
import { Stage, type StageDocument } from './stage.ts'
import { doFromMenu } from './view-menu.ts'

const stage = await Stage.open()
test.after(() => stage.close())

const words = 'The quick brown fox jumps.\n\n- one item\n- two items\n\nLast words here.\n'

interface Suggestion {
  readonly id: string
  readonly old_string: string
  readonly new_string: string
  readonly status: string
}

async function suggestions({ slug, token }: StageDocument): Promise<readonly Suggestion[]> {
  const { threads } = await stage.call('GET', `/docs/${slug}?resolved=false`, { token })
  const found = threads as { comments: { id: string; suggestion?: Omit<Suggestion, 'id'> }[] }[]
  return found.flatMap(({ comments }) =>
    comments.flatMap(({ id, suggestion }) => (suggestion ? [{ id, ...suggestion }] : [])),
  )
}

/** What the service has of pending suggestions, once it is that. */
async function pending(sheet: StageDocument, wanted: readonly string[]): Promise<void> {
  const end = Date.now() + 30_000
  for (;;) {
    const found = (await suggestions(sheet))
      .filter(({ status }) => status === 'pending')
      .map(({ old_string: old, new_string: now }) => `${old} → ${now}`)
      .sort()
    if (JSON.stringify(found) === JSON.stringify([...wanted].sort())) return
    if (Date.now() > end) assert.equal(found, [...wanted].sort())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** As Quill. */
const agentSuggests = (sheet: StageDocument, quote: string, text: string): Promise<string> =>
  suggestsOf(stage, sheet, [quote, text])

const text = (page: Page) => page.locator('.text')
const mode = (page: Page, name: string) => page.locator(`.mode-${name.toLowerCase()}`)

/** The mode by its key, once the layer lies over the text. */
async function suggest(page: Page): Promise<void> {
  await page.keyboard.press('Control+Alt+Shift+x')
  await mode(page, 'Suggesting').waitFor()
  await page.waitForLoadState('networkidle')
}

/** The caret right behind these words. */
async function behind(page: Page, wanted: string): Promise<void> {
  await text(page).evaluate((element, sought) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(sought) ?? -1
      if (at < 0) continue
      ;(element as HTMLElement).focus()
      getSelection()?.collapse(node, at + sought.length)
      return
    }
    throw new Error(`no ${sought}`)
  }, wanted)
}

test('what is typed and deleted is suggested, goes on, is undone, and changes nothing', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await behind(ann, 'The ')
  await suggest(ann)
  await ann.keyboard.type('very ')
  // What is typed before there is a layer stands where the caret is when it comes.
  await ann.locator('.proposed-in').getByText('very').waitFor()
  await behind(ann, 'Last words')
  for (let times = 0; times < 5; times++) await ann.keyboard.press('Backspace')
  await ann.keyboard.type('line')
  await behind(ann, 'two')
  await pending(sheet, ['quick → very quick', 'words → line'])
  assert.is(await ann.locator('.proposed-out').innerText(), 'words')
  assert.equal(await ann.locator('.proposed-in').allInnerTexts(), ['very ', 'line'])
  const ids = async () => (await suggestions(sheet)).map(({ id }) => id).sort()
  const before = await ids()
  await behind(ann, 'line')
  await ann.keyboard.type('s')
  await ann.keyboard.press('Enter')
  await ann.keyboard.type('More.')
  await behind(ann, 'two')
  await pending(sheet, ['quick → very quick', 'words → lines\n\nMore.'])
  assert.equal(await ids(), before, 'one goes on in the same suggestion')
  assert.is(await stage.markdown(sheet), words)
  for (let times = 0; times < 8; times++) await ann.keyboard.press('Control+z')
  await pending(sheet, [])
  await ann.waitForFunction(() => document.querySelector('.proposed') === null)
  assert.is(await stage.markdown(sheet), words)
  // What is said of a mode is said no longer than one is in it.
  await ann.keyboard.press('Control+Alt+Shift+x')
  const told = ann.locator('.notices').getByText('Suggesting: what you type')
  await told.first().waitFor()
  await ann.getByRole('button', { name: 'Mode: Suggesting' }).click()
  await ann.getByRole('menuitemradio', { name: /^Editing/ }).click()
  await mode(ann, 'Suggesting').waitFor({ state: 'detached' })
  assert.is(await told.count(), 0)
  await ann.context().close()
})

test('a draft survives a reload; accepted by somebody it stands there once', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await behind(ann, 'The ')
  await suggest(ann)
  await ann.route('**/comments', (route) => route.abort())
  await ann.keyboard.type('very ')
  await ann.locator('.proposed-in').getByText('very').waitFor()
  await ann.reload()
  await ann.locator('.proposed-in').getByText('very').waitFor()
  assert.is(await mode(ann, 'Suggesting').count(), 1, 'the mode is remembered')
  await ann.unroute('**/comments')
  await pending(sheet, ['quick → very quick'])
  // What others write meanwhile is shown, and moves nothing of it.
  await agentEdits(stage, sheet, [{ old_string: 'The quick', new_string: 'See: the quick' }])
  await text(ann).getByText('See: the very quick brown').waitFor()
  const [{ id } = { id: '' }] = await suggestions(sheet)
  const path = `/docs/${sheet.slug}/comments/${id}/accept`
  // Its text comes before it is heard that it was accepted.
  await ann.route('**/threads?**', (route) => route.abort())
  await stage.call('POST', path, { token: sheet.token })
  await ann.locator('.proposed').waitFor({ state: 'detached' })
  await agentEdits(stage, sheet, [{ old_string: 'Last', new_string: 'The last' }])
  await text(ann).getByText('The last').waitFor()
  await ann.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)))
  assert.match(await text(ann).innerText(), /^See: the very quick brown fox/)
  await ann.unroute('**/threads?**')
  assert.is((await suggestions(sheet))[0]?.status, 'accepted', 'and is not withdrawn')
  await ann.context().close()
})

/** These words selected. */
async function selects(page: Page, wanted: string): Promise<void> {
  await behind(page, wanted)
  await page.evaluate((count) => {
    const { anchorNode: node, anchorOffset: end } = getSelection() as Selection
    getSelection()?.setBaseAndExtent(node as Node, end - count, node as Node, end)
  }, wanted.length)
}

test('bold alone is suggested; a suggestion that grows is made anew; of a decided one none is left', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await selects(ann, 'two')
  await suggest(ann)
  await ann.keyboard.press('Control+b')
  await ann.locator('.proposed-look', { hasText: 'two' }).waitFor()
  await behind(ann, 'The ')
  await ann.keyboard.type('very ')
  await behind(ann, 'Last')
  await pending(sheet, ['quick → very quick', 'two → **two**'])
  await ann.route('**/threads?**', (route) => route.abort())
  // Other words go in it than those quoted: the first is withdrawn once there is another.
  await behind(ann, 'The ')
  for (let times = 0; times < 4; times++) await ann.keyboard.press('Backspace')
  await behind(ann, 'Last')
  await pending(sheet, ['The → very', 'two → **two**'])
  // Somebody decides, the page does not hear of it, and one goes on in what is none any more.
  const other = (await suggestions(sheet)).find(({ old_string: old }) => old === 'The')
  const path = `/docs/${sheet.slug}/comments/${other?.id}/reject`
  await stage.call('POST', path, { token: sheet.token })
  await behind(ann, 'very ')
  await ann.keyboard.type('very ')
  await behind(ann, 'Last')
  await text(ann).getByText('The quick brown fox').waitFor()
  await pending(sheet, ['two → **two**'])
  await ann.context().close()
})

test('a deletion is suggested again once its words, deleted by somebody else, are back', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  const ben = await person(stage, sheet, 'Ben')
  await behind(ann, 'quick')
  await suggest(ann)
  for (let times = 0; times < 5; times++) await ann.keyboard.press('Backspace')
  await pending(sheet, ['quick → '])
  await behind(ben, 'jumps.')
  await ben.keyboard.press('Shift+Home')
  await ben.keyboard.press('Backspace')
  await text(ann).getByText('brown').waitFor({ state: 'detached' })
  // Whatever the page would do about it by itself it has done by then.
  await ann.waitForTimeout(2_500)
  assert.equal(
    (await suggestions(sheet)).map(({ status }) => status),
    ['stale'],
  )
  await ben.keyboard.press('Control+z')
  await pending(sheet, ['quick → '])
  for (const page of [ann, ben]) {
    await page.locator('.proposed-out').getByText('quick').waitFor()
    await page.context().close()
  }
})

test('words typed on while a suggestion is decided stay: as one of their own, or as lost', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await ann.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await behind(ann, 'items')
  await suggest(ann)
  const decide = async (verb: string, old: string) => {
    const found = (await suggestions(sheet)).find(
      ({ old_string, status }) => old_string === old && status === 'pending',
    )
    const path = `/docs/${sheet.slug}/comments/${found?.id}/${verb}`
    await stage.call('POST', path, { token: sheet.token })
  }
  await ann.keyboard.type(' more')
  await pending(sheet, ['items → items more'])
  const typing = ann.keyboard.type(' and some that came after', { delay: 30 })
  await decide('accept', 'items')
  await typing
  await pending(sheet, ['more → more and some that came after'])
  const shown = () => text(ann).locator('li').last().innerText()
  assert.is(await shown(), 'two items more and some that came after')
  const proposed = () => ann.locator('.proposed-in').allInnerTexts()
  await becomes(async () => String(await proposed()) === ' and some that came after')
  // Refused at once, when it is told what was written on.
  await behind(ann, 'fox')
  await ann.keyboard.type('y')
  await pending(sheet, ['fox → foxy', 'more → more and some that came after'])
  await ann.route('**/threads?**', (route) => route.abort())
  await behind(ann, 'y')
  await ann.keyboard.type(' friend')
  await decide('reject', 'fox')
  const note = ann.getByRole('region', { name: 'Unsent suggestions' })
  await note.getByText('A suggestion was decided, or lost its place').waitFor()
  await note.getByRole('button', { name: 'Copy' }).click()
  await ann.locator('.notices').getByText('Copied.').waitFor()
  assert.is(await ann.evaluate(() => navigator.clipboard.readText()), 'y friend')
  await ann.unroute('**/threads?**')
  await ann.context().close()
})

test('what is refused or has lost its place is told, kept over reloads, copied, tried again', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await ann.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const note = ann.getByRole('region', { name: 'Unsent suggestions' })
  const copied = async () => {
    await note.getByRole('button', { name: 'Copy' }).click()
    await ann.locator('.notices').getByText('Copied.').waitFor()
    return ann.evaluate(() => navigator.clipboard.readText())
  }
  await behind(ann, 'words')
  await suggest(ann)
  const full = { status: 409, json: { code: 'LIMIT_REACHED', error: 'It is full.' } }
  await ann.route('**/comments', (route) => route.fulfill(full))
  await ann.keyboard.type(' to read')
  await note.getByText('A suggestion could not be sent.').waitFor()
  assert.is(await copied(), 'words to read')
  await ann.reload()
  await note.getByText('A suggestion could not be sent').waitFor()
  await ann.unroute('**/comments')
  await note.getByRole('button', { name: 'Retry' }).click()
  await pending(sheet, ['words → words to read'])
  await note.waitFor({ state: 'detached' })
  await ann.route('**/comments', (route) => route.abort())
  await behind(ann, 'two')
  await ann.keyboard.type(' or more')
  await agentEdits(stage, sheet, [{ old_string: '- one item\n- two items', new_string: '- none' }])
  for (let reloads = 0; reloads < 2; reloads++) {
    await note.getByText('A suggestion was decided, or lost its place').waitFor()
    await ann.reload()
  }
  assert.is(await copied(), ' or more')
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await ann.reload()
  await ann.locator('.proposed-in').getByText('to read').waitFor()
  assert.is(await note.count(), 0)
  await ann.context().close()
})

test('an agent’s suggestions are drawn, gone through and decided in place', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await agentSuggests(sheet, 'quick brown', 'slow brown')
  await agentSuggests(sheet, 'two items', 'two items and more')
  await agentSuggests(sheet, 'Last words here.', '')
  const marks = ann.locator('.proposed[data-agent]')
  await marks.getByText('slow').waitFor()
  await marks.nth(3).waitFor()
  assert.equal((await marks.allInnerTexts()).map((one) => one.trim()).sort(), [
    'Last words here.',
    'and more',
    'quick',
    'slow',
  ])
  assert.is(await stage.markdown(sheet), words)
  await marks.getByText('slow').click()
  const card = ann.getByRole('group', { name: 'Suggestion' })
  await card.getByText('Quill').waitFor()
  await card.getByText('Agent', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Accept' }).click()
  await text(ann).getByText('The slow brown fox jumps.').waitFor()
  await ann.keyboard.press('Control+Alt+u')
  const bar = ann.getByRole('toolbar', { name: 'Suggestions' })
  await bar.getByText('1 of 2').waitFor()
  await ann.keyboard.press('Control+Alt+Shift+Enter')
  await bar.getByText('1 of 1').waitFor()
  // Words that read otherwise now are not struck.
  await behind(ann, 'Last wor')
  await ann.keyboard.type('k')
  await ann.waitForFunction(() => document.querySelector('.proposed[data-agent]') === null)
  await ann.keyboard.press('Backspace')
  await marks.getByText('Last words here.').waitFor()
  await agentSuggests(sheet, 'one item', 'an item')
  await bar.getByText('2 suggestions').waitFor()
  await bar.getByRole('button', { name: 'Accept all' }).click()
  const wanted = 'The slow brown fox jumps.\n\n- an item\n- two items\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  for (const quote of ['slow', 'fox', 'an item']) await agentSuggests(sheet, quote, `no ${quote}`)
  await bar.getByText('3 suggestions').waitFor()
  await marks.getByText('no').first().click()
  await card.getByRole('button', { name: 'Reject' }).click()
  await bar.getByText(/^\d of 2$/).waitFor()
  const rejectAll = bar.getByRole('button', { name: 'Reject all' })
  assert.ok(await rejectAll.evaluate(isOnTop), 'the note of what was decided before covers the bar')
  await rejectAll.click()
  await ann.locator('.notices').getByText('2 rejected.').waitFor()
  await bar.getByText('No suggestions left').waitFor()
  assert.is(await marks.count(), 0)
  assert.is(await stage.markdown(sheet), wanted)
  await ann.context().close()
})

test('a bar goes through open suggestions by itself; decided ones leave the list', async () => {
  const sheet = await stage.document(words)
  await agentSuggests(sheet, 'quick brown', '**slow** [brown](http://a.example)')
  await agentSuggests(sheet, 'one item', 'an item')
  const ann = await person(stage, sheet, 'Ann')
  const bar = ann.getByRole('toolbar', { name: 'Suggestions' })
  await bar.getByText('2 suggestions').waitFor()
  // It is not over the version history.
  await doFromMenu(ann, 'More', 'Version history')
  await bar.waitFor({ state: 'detached' })
  await ann.locator('.history').getByRole('document').waitFor()
  await ann.keyboard.press('Escape')
  await bar.waitFor()
  const cards = ann.locator('.talk-card')
  const rendered = cards.filter({ hasText: 'quick' }).locator('.suggested-words')
  await rendered.locator('strong', { hasText: 'slow' }).waitFor()
  assert.not.match(await rendered.innerText(), /[*[\]]/)
  await behind(ann, 'Last')
  await suggest(ann)
  await ann.keyboard.type(' of all')
  await pending(sheet, [
    'quick brown → **slow** [brown](http://a.example)',
    'one item → an item',
    'Last → Last of all',
  ])
  await bar.getByText('3 suggestions').waitFor()
  // Of several authors one is asked whose; with one there is nothing to ask.
  // Ann's own is among those to decide once its thread has come.
  await bar.locator('[aria-haspopup="menu"]', { hasText: 'Reject all' }).click()
  await ann.getByRole('menuitem', { name: 'From Quill (2)' }).click()
  await ann.locator('.notices').getByText('2 rejected.').waitFor()
  const [note, place] = [
    await ann.locator('.notices .notice').last().boundingBox(),
    await bar.boundingBox(),
  ]
  assert.ok((note?.y ?? 0) + (note?.height ?? 0) <= (place?.y ?? 0), 'the notice is above the bar')
  await bar.getByText('1 suggestion').waitFor()
  await cards.nth(1).waitFor({ state: 'detached' })
  await ann.getByRole('button', { name: /^Open/ }).click()
  await ann.getByRole('menuitemradio', { name: 'Resolved' }).click()
  await cards.filter({ hasText: 'Rejected' }).nth(1).waitFor()
  await bar.getByRole('button', { name: 'Close' }).click()
  await bar.waitFor({ state: 'detached' })
  await ann.context().close()
})

test('all are decided with a draft that was typed a moment before', async () => {
  const before = 'First line\n\nSecond line\n'
  const sheet = await stage.document(before)
  await agentSuggests(sheet, 'First', '1st')
  const ann = await person(stage, sheet, 'Ann')
  const bar = ann.getByRole('toolbar', { name: 'Suggestions', exact: true })
  await bar.getByText('1 suggestion').waitFor()
  await behind(ann, 'Second')
  await suggest(ann)
  await ann.keyboard.type('ary')
  await bar.getByText('2 suggestions').waitFor()
  await bar.getByRole('button', { name: 'Accept all' }).click()
  const all = ann.getByRole('menuitem', { name: 'From everyone (2)' })
  await all.or(ann.locator('.notices').getByText('2 accepted.')).waitFor()
  if (await all.isVisible()) await all.click()
  const after = '1st line\n\nSecondary line\n'
  assert.is(await stage.reads(sheet, after), after)
  const decided = (await suggestions(sheet)).map(({ status }) => status)
  assert.equal(decided, ['accepted', 'accepted'])
  await ann.context().close()
})

function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test('undo after accepting takes back what was accepted, not an older edit of one’s own', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await behind(ann, 'Last words here.')
  await ann.keyboard.type(' Mine.')
  const mine = words.replace('Last words here.', 'Last words here. Mine.')
  assert.is(await stage.reads(sheet, mine), mine)
  const marks = ann.locator('.proposed[data-agent]')
  await agentSuggests(sheet, 'quick brown', 'slow brown')
  await marks.getByText('slow').click()
  const card = ann.getByRole('group', { name: 'Suggestion' })
  await card.getByRole('button', { name: 'Accept' }).click()
  const accepted = mine.replace('quick', 'slow')
  assert.is(await stage.reads(sheet, accepted), accepted)
  await text(ann).getByText('The slow brown fox jumps.').waitFor()
  await marks.first().waitFor({ state: 'detached' })
  await ann.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, mine), mine)
  await text(ann).getByText('The quick brown fox jumps.').waitFor()
  await ann.keyboard.press('Control+z')
  assert.is(await stage.reads(sheet, words), words)
  await ann.keyboard.press('Control+Shift+z')
  assert.is(await stage.reads(sheet, mine), mine)
  await ann.context().close()
})

test('undo takes back what was suggested after accepting, and the acceptance only then', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  await agentSuggests(sheet, 'quick brown', 'slow brown')
  const marks = ann.locator('.proposed[data-agent]')
  await marks.getByText('slow').click()
  const card = ann.getByRole('group', { name: 'Suggestion' })
  await card.getByRole('button', { name: 'Accept' }).click()
  const accepted = words.replace('quick', 'slow')
  assert.is(await stage.reads(sheet, accepted), accepted)
  await marks.first().waitFor({ state: 'detached' })
  await suggest(ann)
  await behind(ann, 'Last words here.')
  await ann.keyboard.type(' Later')
  await ann.keyboard.press('Control+z')
  await text(ann).getByText('Later').waitFor({ state: 'detached' })
  assert.is(await stage.markdown(sheet), accepted)
  await ann.context().close()
})

test('an input method, a paste and words that stand twice: all of it is suggested', async () => {
  const twice = 'same same\n\nsame words\n\nlast line\n'
  const sheet = await stage.document(twice)
  const ann = await person(stage, sheet, 'Ann')
  await behind(ann, 'same words')
  await suggest(ann)
  await ann.keyboard.press('Home')
  await ann.keyboard.type('The ')
  await behind(ann, 'last line')
  const keys = await ann.context().newCDPSession(ann)
  for (const composed of ['に', 'にほ', 'にほん']) {
    const at = { selectionStart: composed.length, selectionEnd: composed.length }
    await keys.send('Input.imeSetComposition', { text: composed, ...at })
  }
  await agentEdits(stage, sheet, [{ old_string: 'same same', new_string: 'same and same' }])
  await keys.send('Input.insertText', { text: '日本' })
  await text(ann).getByText('same and same').waitFor()
  await ann.locator('.proposed-in').getByText('日本', { exact: true }).waitFor()
  await text(ann).evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ' **bold** and more')
    const options = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', options))
  })
  // What reads markdown may have to be loaded first.
  await text(ann).getByText('and more').waitFor()
  await behind(ann, 'and')
  await pending(sheet, ['same → The same', 'line → line日本**bold** and more'])
  const now = 'same and same\n\nsame words\n\nlast line\n'
  assert.is(await stage.markdown(sheet), now)
  for (const { id } of await suggestions(sheet)) {
    const path = `/docs/${sheet.slug}/comments/${id}/accept`
    await stage.call('POST', path, { token: sheet.token })
  }
  const wanted = 'same and same\n\nThe same words\n\nlast line日本**bold** and more\n'
  assert.is(await stage.reads(sheet, wanted), wanted)
  await ann.waitForFunction(() => document.querySelector('.text .proposed') === null)
  assert.is(await text(ann).locator('p').count(), 3, 'each once')
  await ann.context().close()
})

test('twenty suggestions come in above: nothing moves under the reader', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `Line ${at} of the plan has words.`)
  const sheet = await stage.document(`${lines.join('\n\n')}\n`)
  const ann = await person(stage, sheet, 'Ann')
  const line = text(ann).getByText('Line 150 of')
  await line.scrollIntoViewIfNeeded()
  await line.click()
  const top = () => line.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  await comesToRest(ann)
  const before = await top()
  const more =
    'and a good many words more than there were, so that it takes another line or two of them'
  for (let at = 100; at < 120; at++)
    await agentSuggests(sheet, `Line ${at} of`, `Line ${at} ${more} of`)
  const drawn = () => document.querySelectorAll('.proposed-in').length === 20
  await ann.waitForFunction(drawn)
  await comesToRest(ann)
  assert.ok(Math.abs((await top()) - before) <= 1, `${before} and ${await top()}`)
  await ann.context().close()
})

test('a commenter suggests and can do nothing else; a viewer has no choice', async () => {
  const sheet = await stage.document(words)
  const ann = await person(stage, sheet, 'Ann')
  const share = async (role: string) => {
    const body = JSON.stringify({ role })
    const made = await ann.evaluate(
      async ([path, sent]) => {
        const headers = { 'Content-Type': 'application/json' }
        return (await fetch(path ?? '', { method: 'POST', body: sent ?? '', headers })).json()
      },
      [`/docs/${sheet.slug}/links`, body],
    )
    const page = await stage.person()
    await page.goto(made.url)
    return page
  }
  const cem = await share('commenter')
  await cem.locator('.text[contenteditable="true"]').waitFor()
  await cem.getByRole('button', { name: 'Mode: Suggesting' }).click()
  assert.is(await cem.getByRole('menuitemradio').count(), 2)
  await cem.keyboard.press('Escape')
  await cem.waitForLoadState('networkidle')
  await behind(cem, 'The ')
  await cem.keyboard.type('very ')
  await behind(cem, 'two')
  await pending(sheet, ['quick → very quick'])
  assert.is(await stage.markdown(sheet), words)
  await ann.locator('.proposed-in').getByText('very').waitFor()
  assert.is(await ann.locator('.proposed[data-agent]').count(), 0)
  const vic = await share('viewer')
  await vic.locator('.text[contenteditable="false"]').waitFor()
  await vic.locator('.proposed-in').getByText('very').waitFor()
  assert.is(await vic.getByRole('button', { name: /^Mode/ }).count(), 0)
  for (const page of [ann, cem, vic]) await page.context().close()
})

test.run()
