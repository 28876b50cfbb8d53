/** Threads on the page: their words in the text, cards beside it, and what is done with them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentEdits, agentJoins, person, setAccess } from './company.ts'
import { offersReport } from './odd-answer.ts'
import { Stage, type StageDocument } from './stage.ts'
import { card, highlighted, selects, told } from './thread-page.ts'

const stage = await Stage.open()
test.after(() => stage.close())

/** As Quill. */
const comments = (sheet: StageDocument, body: Readonly<Record<string, unknown>>) =>
  stage.call('POST', `/docs/${sheet.slug}/comments`, { token: sheet.token, body })

test('words that are talked about stay marked whatever is typed, and come back with undo', async () => {
  const sheet = await stage.document('# Plan\n\nWe meet at noon.\n\nBring cake.\n')
  await comments(sheet, { quote: 'noon', text: 'Why noon?' })
  const page = await person(stage, sheet, 'Ada')
  await highlighted(page, ['noon'])
  await page.locator('.text p').first().click()
  await page.keyboard.press('Home')
  await page.keyboard.type('Today noon ')
  await highlighted(page, ['noon'])
  await agentEdits(stage, sheet, [{ old_string: 'We meet', new_string: 'You meet' }])
  await page.locator('.text').getByText('You meet').waitFor()
  await comments(sheet, { quote: 'cake', text: 'Which?' })
  await highlighted(page, ['noon', 'cake'])
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Delete')
  await highlighted(page, ['cake'])
  await page.keyboard.press('Control+z')
  await highlighted(page, ['noon', 'cake'])
  assert.match(
    (await page.locator('.text .about').first().getAttribute('class')) ?? '',
    /about-thr_/,
  )
  await page.context().close()
})

test('a comment on selected words, its answer, and all that is done with them', async () => {
  const sheet = await stage.document('the one and the other\n\nMore.\n')
  const page = await person(stage, sheet, 'Ada')
  await selects(page, 'the other')
  await page.keyboard.press('Control+Alt+m')
  await page.getByRole('textbox', { name: 'Comment' }).waitFor()
  await page.keyboard.type('Which?')
  await offersReport(page, sheet)
  await page.keyboard.press('Control+Enter')
  await highlighted(page, ['the other'])
  const mine = card(page, 'Which?')
  assert.match((await mine.getAttribute('data-open')) ?? 'closed', /^(true|)$/)
  await mine.getByRole('textbox', { name: 'Reply' }).fill('This one.')
  await mine.getByRole('button', { name: 'Reply' }).click()
  await mine.locator('.comment-text', { hasText: 'This one.' }).waitFor()
  await mine.getByRole('button', { name: 'React' }).first().click()
  await page.getByRole('menuitem', { name: 'Curious' }).click()
  await mine.getByRole('button', { name: 'Curious: you' }).waitFor()
  await mine.getByRole('button', { name: 'Curious: you' }).click()
  await mine.getByRole('button', { name: 'Curious: you' }).waitFor({ state: 'detached' })
  await mine.getByRole('button', { name: 'Comment options' }).last().click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await mine.getByRole('textbox', { name: 'Edit comment' }).fill('That one.')
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.getByText('edited').waitFor()
  await mine.getByRole('button', { name: 'Comment options' }).last().click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await mine.getByRole('button', { name: 'Delete' }).click()
  await mine.getByText('That one.').waitFor({ state: 'detached' })
  await mine.getByRole('textbox', { name: 'Reply' }).fill('Settled.')
  await mine.getByRole('button', { name: 'Resolve' }).last().click()
  await highlighted(page, [])
  await told(page, 'Resolved.')
  await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
  await highlighted(page, ['the other'])
  await page.context().close()
})

test('a block has comments of its own, each side lights the other, a copied link leads there', async () => {
  const sheet = await stage.document('First words.\n\n- one\n- two\n\nLast words.\n')
  await comments(sheet, { quote: 'First', text: 'Which first?' })
  await comments(sheet, { quote: 'Last', text: 'Which last?' })
  const page = await person(stage, sheet, 'Ada', {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.locator('.talk-card[data-placed]').nth(1).waitFor()
  await page.locator('.text li p').last().hover()
  await page.getByRole('button', { name: 'Block menu' }).click()
  await page.getByRole('menuitem', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('All of it?')
  await page.keyboard.press('Control+Enter')
  await page.locator('.text .about-block').waitFor()
  assert.is(await page.locator('.text .about-block').innerText(), 'two')
  // Words, whole blocks and cards light each other.
  const lit = (words: string) =>
    page.waitForFunction((wanted) => {
      const found = [...document.querySelectorAll('.text :is(.about, .about-block)')]
      const lit = found.filter((element) => {
        const style = getComputedStyle(element)
        if (element.matches('.about-block'))
          return style.getPropertyValue('--about-block') !== 'none'
        return style.getPropertyValue('--about') === style.getPropertyValue('--about-lit')
      })
      return lit.map((element) => element.textContent).join() === wanted
    }, words)
  await card(page, 'All of it?').and(page.locator('[data-open]')).waitFor()
  await card(page, 'Which first?').hover()
  await lit('First,two')
  await page.locator('.text .about', { hasText: 'Last' }).hover()
  await card(page, 'Which last?').and(page.locator('[data-lit]')).waitFor()
  await lit('two,Last')
  // Straight from the words to a card.
  await card(page, 'Which last?').click()
  await lit('Last')
  await page.locator('.text .about-block').hover()
  await card(page, 'All of it?').and(page.locator('[data-lit]')).waitFor()
  await page.locator('.text .about', { hasText: 'First' }).hover()
  await lit('First,Last')
  await card(page, 'All of it?').hover()
  await lit('two,Last')
  // One +1 an actor, given and taken back.
  const mine = card(page, 'Which last?')
  await mine.getByRole('button', { name: 'React' }).first().click()
  await page.getByRole('menuitem', { name: 'Agree' }).click()
  await mine.getByRole('button', { name: 'Agree: you' }).click()
  await mine.getByRole('button', { name: 'Agree: you' }).waitFor({ state: 'detached' })
  await mine.getByRole('button', { name: 'Comment options' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await told(page, 'Link copied.')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto(link)
  await page.locator('.talk-card[data-open]', { hasText: 'Which last?' }).waitFor()
  await page.context().close()
})

test('what is begun survives a reload, and what is written offline is kept', async () => {
  const sheet = await stage.document('Some words.\n')
  await comments(sheet, { quote: 'Some', text: 'How many?' })
  const page = await person(stage, sheet, 'Ada')
  await selects(page, 'words')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Half a thought')
  await page.locator('.text .about').first().click()
  await card(page, 'How many?').getByRole('textbox', { name: 'Reply' }).fill('Many.')
  await page.reload()
  const begun = page.getByRole('region', { name: 'New comment' })
  assert.is(await begun.getByRole('textbox').inputValue(), 'Half a thought')
  await highlighted(page, ['Some', 'words'])
  await page.locator('.text .about').first().click()
  const reply = card(page, 'How many?').getByRole('textbox', { name: 'Reply' })
  assert.is(await reply.inputValue(), 'Many.')
  await stage.kill()
  await begun.getByText('You are offline.').waitFor()
  assert.ok(await begun.getByRole('button', { name: 'Comment' }).isDisabled())
  await stage.start()
  await begun.getByText('You are offline.').waitFor({ state: 'detached' })
  // The button moves up into the place of those words, away from under a click.
  await begun.getByRole('textbox').press('Control+Enter')
  await card(page, 'Half a thought').waitFor()
  await begun.waitFor({ state: 'detached' })
  await page.context().close()
})

test('words that go take nothing with them in silence; a suggestion is decided on its card', async () => {
  const sheet = await stage.document('First words.\n\nSecond words.\n')
  await comments(sheet, { quote: 'First words', text: 'Why first?' })
  const said = { text: 'Shorter.', suggestion: { new_string: 'Other' } }
  await comments(sheet, { quote: 'Second', ...said })
  const page = await person(stage, sheet, 'Ada')
  const orphan = card(page, 'Why first?')
  await orphan.waitFor()
  await selects(page, 'First words')
  await page.keyboard.press('Delete')
  await orphan.getByText('The commented text was deleted').waitFor()
  assert.is(await orphan.locator('blockquote').textContent(), 'First words')
  await told(page, 'deleted text that has a comment')
  await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
  await highlighted(page, ['First words', 'Second'])
  await orphan.getByText('The commented text was deleted').waitFor({ state: 'detached' })
  await card(page, 'Shorter.').getByRole('button', { name: 'Accept' }).click()
  await page.locator('.text').getByText('Other words.').waitFor()
  await card(page, 'Shorter.').getByText('Accepted').waitFor()
  await page.context().close()
})

test('keys go from thread to thread, answer, and come back to the text', async () => {
  const sheet = await stage.document('One two three.\n')
  await comments(sheet, { quote: 'One', text: 'First' })
  await comments(sheet, { quote: 'three', text: 'Third' })
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.talk-card').nth(1).waitFor()
  await page.locator('.text p').click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+F8')
  const focused = (words: string) =>
    page.waitForFunction(
      (wanted) =>
        document.activeElement?.matches('.talk-card[data-open]') === true &&
        document.activeElement.textContent?.includes(wanted) === true,
      words,
    )
  await focused('First')
  await page.keyboard.press('Control+F8')
  await focused('Third')
  await page.keyboard.press('Control+Shift+F8')
  await focused('First')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Yes.')
  await page.keyboard.press('Control+Enter')
  await card(page, 'First').getByText('Yes.').waitFor()
  await page.keyboard.press('Escape')
  await focused('First')
  await page.keyboard.press('Escape')
  await page.keyboard.type('X')
  await page.locator('.text').getByText('XOne two three.').waitFor()
  await page.context().close()
})

test('threads are filtered and muted, people are found behind an @', async () => {
  const sheet = await stage.document('One two.\n')
  const done = await comments(sheet, { quote: 'One', text: 'Settled' })
  await comments(sheet, { quote: 'two', text: 'Open still' })
  const thread = `/docs/${sheet.slug}/threads/${String(done['thread_id'])}`
  await stage.call('POST', `${thread}/resolve`, { token: sheet.token, body: { text: 'Done.' } })
  const page = await person(stage, sheet, 'Ada')
  await page.getByRole('banner').getByRole('button', { name: 'Share' }).waitFor()
  await highlighted(page, ['two'])
  await page.getByRole('button', { name: /^Open/ }).click()
  await page.getByRole('menuitemradio', { name: 'Resolved' }).click()
  await card(page, 'Settled').getByText('Resolved by Quill: Done.').waitFor()
  await card(page, 'Open still').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Back to open comments' }).click()
  const open = card(page, 'Open still')
  await open.click()
  await open.getByRole('button', { name: 'Comment options' }).click()
  await page.getByRole('menuitem', { name: 'Mute this thread' }).click()
  await open.getByRole('button', { name: 'Comment options' }).click()
  await page.getByRole('menuitem', { name: 'Unmute this thread' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Open/ }).click()
  await page.getByRole('menuitem', { name: 'Mute this document' }).click()
  await page.getByRole('button', { name: /^Open/ }).click()
  await page.getByRole('menuitem', { name: 'Unmute this document' }).waitFor()
  await page.reload()
  await highlighted(page, ['two'])
  await page.getByRole('button', { name: /^Open/ }).click()
  await page.getByRole('menuitem', { name: 'Unmute this document' }).waitFor()
  await page.keyboard.press('Escape')
  await open.click()
  await open.getByRole('button', { name: 'Comment options' }).click()
  await page.getByRole('menuitem', { name: 'Unmute this thread' }).waitFor()
  await page.keyboard.press('Escape')
  const reply = open.getByRole('textbox', { name: 'Reply' })
  await agentJoins(stage, sheet, 'Adam')
  await reply.pressSequentially('Ask @ad')
  await page.getByRole('option', { name: /^Adam/ }).waitFor()
  await page.keyboard.press('Enter')
  assert.match(await reply.inputValue(), /^Ask @[\w-]+ $/)
  await page.context().close()
})

test('a key draws nothing anew in the margin', async () => {
  const sheet = await stage.document('One two three.\n\nMore.\n')
  for (const quote of ['One', 'two', 'three']) await comments(sheet, { quote, text: quote })
  const page = await person(stage, sheet, 'Ada')
  await page.locator('.talk-card[data-placed]').nth(2).waitFor()
  await page.locator('.text p').first().click()
  await page.keyboard.press('End')
  const changes = await page.evaluateHandle(() => {
    const seen: string[] = []
    const margin = document.querySelector('.margin') as Element
    const all = { subtree: true, childList: true, characterData: true, attributes: true }
    new MutationObserver((list) => seen.push(...list.map(({ type }) => type))).observe(margin, all)
    return seen
  })
  await page.keyboard.type(' four')
  await page.locator('.text').getByText('One two three. four').waitFor()
  await page.locator('.state-line').getByText('Saved').waitFor()
  assert.equal(await changes.jsonValue(), [])
  await page.context().close()
})

test('on a phone: bubbles, a sheet, and overlapping words are both reached', async () => {
  const sheet = await stage.document('One two three.\n\nMore.\n')
  await comments(sheet, { quote: 'One two', text: 'Longer' })
  await comments(sheet, { quote: 'two', text: 'Shorter' })
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await person(stage, sheet, 'Ada', phone)
  const bubble = page.getByRole('button', { name: '2 comments' })
  await bubble.click()
  const region = page.getByRole('complementary', { name: 'Comments' })
  await region.getByText('1 of 2').waitFor()
  await region.getByText('Longer').waitFor()
  await bubble.click()
  await region.getByText('Shorter').waitFor()
  await region.getByRole('button', { name: 'All comments' }).click()
  await region.getByText('Longer').waitFor()
  await region.getByRole('button', { name: 'Close' }).click()
  await region.waitFor({ state: 'detached' })
  await page.context().close()
})

test('an address leads to a thread, a resolved one too', async () => {
  const sheet = await stage.document(`${'Far.\n\n'.repeat(60)}Deep words.\n`)
  const made = await comments(sheet, { quote: 'Deep words', text: 'Down here' })
  const page = await person(stage, sheet, 'Ada')
  const address = `/d/${sheet.slug}?focus=comment-${String(made['comment_id'])}`
  await page.goto(address)
  await page.locator('.talk-card[data-open]', { hasText: 'Down here' }).waitFor()
  await page.waitForFunction(() => {
    const box = document.querySelector('.text .about')?.getBoundingClientRect()
    return box !== undefined && box.top > 0 && box.bottom < window.innerHeight
  })
  const thread = `/docs/${sheet.slug}/threads/${String(made['thread_id'])}`
  await stage.call('POST', `${thread}/resolve`, { token: sheet.token, body: { text: 'Enough.' } })
  await page.goto(address)
  await card(page, 'Down here').getByText('Resolved by Quill: Enough.').waitFor()
  await page.context().close()
})

test('who may comment and not write does; where comments are off nobody does', async () => {
  const sheet = await stage.document('Some words.\n')
  const owner = await person(stage, sheet, 'Ada')
  const set = (path: string, method: string, body: unknown) =>
    owner.evaluate(
      async (asked) => {
        const headers = { 'Content-Type': 'application/json' }
        const sent = { method: asked.method, headers, body: JSON.stringify(asked.body) }
        const answer = await fetch(`/docs/${asked.slug}/${asked.path}`, sent)
        if (!answer.ok) throw new Error(`${asked.path}: ${answer.status}`)
        return (await answer.json()) as { url?: string }
      },
      { slug: sheet.slug, path, method, body },
    )
  await setAccess(owner, sheet, 'commenter')
  const { url = '' } = await set('share-link', 'POST', {})
  const page = await stage.person()
  await page.goto(url)
  await page
    .locator('.state-line')
    .getByText(/comment/i)
    .waitFor()
  await selects(page, 'words')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('From outside')
  await page.keyboard.press('Control+Enter')
  await card(owner, 'From outside').waitFor()
  await set('settings', 'PATCH', { comments_disabled: true })
  await card(page, 'From outside').click()
  await card(page, 'From outside').getByRole('textbox').waitFor({ state: 'detached' })
  await page.context().close()
  await owner.context().close()
})

test('no page failed', () => {
  const expected = /Failed to load resource|net::ERR|WebSocket connection/
  assert.equal(
    stage.complaints.filter((complaint) => !expected.test(complaint)),
    [],
  )
})

test('the name is whole on an open card', async () => {
  const sheet = await stage.document('Some words.\n')
  const page = await person(stage, sheet, 'Wilhelmina Anders')
  const about = { quote: 'Some', text: 'Said.' }
  const headers = { Origin: stage.origin }
  const path = `/docs/${sheet.slug}/comments`
  const made = await page.request.post(path, { data: about, headers })
  assert.is(made.status(), 201)
  await page.locator('.talk-card').click()
  const name = page.locator('.talk-card[data-open] .comment-name').first()
  await name.waitFor()
  const isCut = await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  assert.not(isCut)
  await page.context().close()
})

test.run()
