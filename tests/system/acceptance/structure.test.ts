/** Interface §4.5: the rules for tables, lists and raw HTML that a replacement has to keep. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { asText, Service, succeeded } from '../../client.ts'

const service = new Service()
test.before(() => service.start().then(() => undefined))
test.after(() => service.remove())

const table = '| a | b |\n| --- | --- |\n| c | d |\n| e | f |'

/** What the document says after `from` became `to`. */
async function after(markdown: string, from: string, to: string): Promise<string> {
  const made = await service.document(markdown)
  return asText(succeeded(await made.swap(from, to))['markdown'])
}

async function isRejected(markdown: string, from: string, to: string) {
  const made = await service.document(markdown)
  const before = await made.markdown()
  const answer = await made.swap(from, to)
  assert.is(answer.status, 422, answer.text)
  assert.equal([await made.markdown(), await made.revision()], [before, 1])
}

test('interface §4.5: a cell is changed by its exact text', async () => {
  assert.is(await after(`${table}\n`, 'd', 'D d'), `${table.replace('| d |', '| D d |')}\n`)
})

test('interface §4.5: a row is inserted after another', async () => {
  const text = await after(`${table}\n`, '| e | f |', '| e | f |\n| g | h |')
  assert.is(text, `${table}\n| g | h |\n`)
})

test('interface §4.5: a row is deleted with its line end', async () => {
  assert.is(await after(`${table}\n`, '| c | d |\n', ''), `${table.replace('| c | d |\n', '')}\n`)
})

test('interface §4.5: a column is inserted in all rows at once', async () => {
  const wide = '| a | b | n |\n| --- | --- | --- |\n| c | d | 1 |\n| e | f | 2 |'
  assert.is(await after(`${table}\n`, table, wide), `${wide}\n`)
})

test('interface §4.5: a column is deleted in all rows at once', async () => {
  const narrow = '| a |\n| --- |\n| c |\n| e |'
  assert.is(await after(`${table}\n`, table, narrow), `${narrow}\n`)
})

test('interface §4.5: a row with fewer cells is padded', async () => {
  assert.is(await after(`${table}\n`, '| e | f |', '| e |'), `${table.replace('| f |', '| |')}\n`)
})

test('interface §4.5: a row with extra cells is rejected', async () => {
  await isRejected(`${table}\n`, '| e | f |', '| e | f | g |')
})

test('interface §4.5: a raw | in a cell is rejected', async () => {
  await isRejected(`${table}\n`, 'e', 'x | y')
})

test('interface §4.5: a list becomes a table by replacing the whole block, and back', async () => {
  assert.is(await after('- c\n- d\n', '- c\n- d', table), `${table}\n`)
  assert.is(await after(`${table}\n`, table, '- c\n- d'), '- c\n- d\n')
})

test('interface §4.5: several items of a list are edited at once', async () => {
  assert.is(await after('- a\n- b\n- c\n', 'a\n- b\n- c', 'A\n- b\n- C'), '- A\n- b\n- C\n')
})

test('interface §4.5: a whole-table restructure is rejected', async () => {
  await isRejected(`${table}\n\nend\n`, table, '| z |\n| --- |\n| q |\n| r |\n| s |')
})

test('interface §4.5: a row swap is rejected', async () => {
  await isRejected(`${table}\n\nend\n`, '| c | d |\n| e | f |', '| e | f |\n| c | d |')
})

test('interface §4.5: adding a row while editing a retained one is rejected', async () => {
  const rows = '| c | D |\n| e | f |\n| g | h |'
  await isRejected(`${table}\n\nend\n`, '| c | d |\n| e | f |', rows)
})

test('interface §4.5: removing a row while editing a retained one is rejected', async () => {
  await isRejected(`${table}\n\nend\n`, '| c | d |\n| e | f |', '| e | F |')
})

test('interface §4.5: a pure reorder of list items is rejected', async () => {
  await isRejected('- a\n- b\n- c\n', '- a\n- b\n- c', '- c\n- a\n- b')
})

test('interface §4.5: a table that is all there is cannot be deleted', async () => {
  await isRejected(`${table}\n`, table, '')
})

test('interface §7: deleting the header row corrupts the table and is refused', async () => {
  await isRejected(`${table}\n\nend\n`, '| a | b |\n', '')
})

test('interface §7: deleting the separator line corrupts the table and is refused', async () => {
  await isRejected(`${table}\n\nend\n`, '| --- | --- |\n', '')
})

for (const html of ['<br>', '<br/>', '<BR />', '<br class="x" />']) {
  test(`interface §4.5: ${html} is raw HTML, only <br /> is a spacer`, async () => {
    await isRejected('a\n\nx\n\nb\n', 'x', html)
  })
}

for (const html of ['</b>', '<?php ?>', '<!DOCTYPE html>', '<![CDATA[x]]>', '<a\nb>']) {
  test(`interface §4.5: ${JSON.stringify(html)} is raw HTML`, async () => {
    await isRejected('a\n\nx\n\nb\n', 'x', html)
  })
}

test('interface §4.5: signs that are no tags are text', async () => {
  assert.is(await after('x\n', 'x', 'a < b > c'), 'a < b > c\n')
  assert.is(await after('x\n', 'x', '&lt;b&gt;'), '&lt;b&gt;\n')
})

test('extensions §4: HTML that the replaced text held may stay in it', async () => {
  const made = await service.document('a <b>x</b> z\n')
  const line = (await made.markdown()).trimEnd()
  const answer = await made.swap(line, line.replace('z', 'Z'))
  assert.is(answer.status, 200, answer.text)
})

test('interface §7: text that nobody sent does not appear in the document', async () => {
  const made = await service.document('see [x](u) there\n')
  const answer = await made.swap('x', '')
  if (answer.status === 200) assert.not.match(asText(answer.body['markdown']), /\[u\]/)
  else assert.is(answer.status, 422)
})

test.run()
