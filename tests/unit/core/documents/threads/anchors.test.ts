/**
 * Interface §2.5: an anchor holds as long as its words stand, wherever a write puts them, and is
 * orphaned, never on other words, when they are gone. Each row of the table is one write, by an
 * editor's own means or by REST's, on a real state.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { AnchorDesk } from './anchor-desk.ts'

const desk = (markdown: string, quote: string) => AnchorDesk.of(markdown, quote)

test('typing before, inside and after moves and grows what is anchored', async () => {
  const scene = await desk('One two three.\n', 'two')
  scene.type(0, 'Zero ')
  assert.is(scene.words, 'two')
  scene.type(10, 'X')
  assert.is(scene.words, 'tXwo')
  scene.type(scene.end, '!')
  assert.is(scene.words, 'tXwo')
  assert.is(scene.read, 'tXwo')
})

test('words that go in part stay in part, and are whole again when they are', async () => {
  const scene = await desk('One two three.\n', 'two three')
  scene.erase(8, 14)
  assert.is(scene.words, 'two')
  scene.undo()
  assert.is(scene.words, 'two three')
})

test('words that are gone are lost, and come back with undo', async () => {
  const scene = await desk('One two three.\n', 'two')
  scene.erase(0, 14)
  assert.is(scene.words, null)
  scene.undo()
  assert.is(scene.words, 'two')
})

test('the same words that stood there already, or are typed beside, are others', async () => {
  const scene = await desk('two and two and two.\n', 'two and two and')
  scene.erase(0, 16)
  assert.is(scene.words, null)
  const other = await desk('One two three. Four two.\n', 'One two')
  other.erase(0, 8)
  assert.is(other.words, null)
})

test('a block that is deleted orphans, and brings its thread back when it comes back', async () => {
  const scene = await desk('First.\n\nOne two three.\n\nLast.\n', 'two')
  scene.removeBlock(1)
  assert.is(scene.words, null)
  scene.undo()
  assert.is(scene.words, 'two')
})

test('a split before, inside and after the words, and its undo', async () => {
  for (const at of [4, 6, 9]) {
    const scene = await desk('One two three.\n', 'two')
    scene.split(0, at)
    assert.is(scene.words?.replace('\n', ''), 'two', `${at}`)
    scene.undo()
    assert.is(scene.words, 'two', `${at}, undone`)
  }
})

test('a split at the blank between two words, on either side of it', async () => {
  for (const at of [7, 8]) {
    const scene = await desk('One two three.\n', 'two three')
    scene.split(0, at)
    assert.is(scene.words?.replace(/\s+/, ' '), 'two three', `${at}`)
    scene.undo()
    assert.is(scene.words, 'two three', `${at}, undone`)
  }
})

test('blocks that are joined, both ways', async () => {
  const scene = await desk('First.\n\nOne two three.\n', 'two')
  scene.join(0)
  assert.is(scene.words, 'two')
  scene.undo()
  assert.is(scene.words, 'two')
})

test('REST: replaced around, moved, wrapped, converted, divided and joined', async () => {
  const markdown = '# Head\n\nOne two three.\n\nLast one.\n'
  for (const next of [
    '# Head\n\nOnce two three.\n\nLast one.\n',
    '# Head\n\nLast one.\n\nOne two three.\n',
    '# Head\n\n> One two three.\n\nLast one.\n',
    '# Head\n\n- One two three.\n\nLast one.\n',
    '# Head\n\n## One two three.\n\nLast one.\n',
    '# Head\n\nOne\n\ntwo three.\n\nLast one.\n',
    '# Head\n\nOne **two** three.\n\nLast one.\n',
  ]) {
    const scene = await desk(markdown, 'two')
    scene.replaceAll(next)
    assert.is(scene.words, 'two', next)
    assert.is(scene.read, 'two', next)
  }
})

test('a quote over two blocks is one range', async () => {
  const scene = await desk('- One two.\n- Three four.\n', 'two.\n- Three')
  assert.is(scene.words, 'two.\nThree')
  assert.is(scene.read, 'two.\n- Three')
  scene.type(0, 'Z')
  assert.is(scene.read, 'two.\n- Three')
})

test('cells, code, breaks and images are anchored too', async () => {
  for (const [markdown, quote, words] of [
    ['| a | b |\n| --- | --- |\n| one | two |\n', 'two', 'two'],
    ['```js\nlet a = 1\nlet b = 2\n```\n', 'let b', 'let b'],
    ['one\\\ntwo\n', 'one\\\ntwo', 'one\ntwo'],
    ['see ![a](https://e.org/a.png) here\n', '![a](https://e.org/a.png)', '\ufffc'],
  ] as const) {
    const scene = await desk(markdown, quote)
    assert.is(scene.words, words)
    assert.is(scene.read, quote)
  }
})

test('a restart finds every anchor where it was', async () => {
  const scene = await desk('One two three.\n\nLast.\n', 'two')
  scene.type(0, 'Zero ')
  await scene.restart()
  assert.is(scene.words, 'two')
  assert.is(scene.read, 'two')
  scene.type(0, 'And ')
  assert.is(scene.read, 'two')
})

test('what is gone before a restart comes back with undo after it', async () => {
  const scene = await desk('First.\n\nOne two three.\n\nLast.\n', 'two')
  scene.erase(4, 7, 1)
  await scene.restart()
  assert.is(scene.words, null)
  scene.undo()
  assert.is(scene.words, 'two')
  assert.is(scene.read, 'two')
  scene.removeBlock(1)
  await scene.restart()
  assert.is(scene.words, null)
  scene.undo()
  assert.is(scene.words, 'two')
  assert.is(scene.read, 'two')
})

test.run()
