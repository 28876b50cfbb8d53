/**
 * A block that somebody makes in a list or an item, while the service moves that, wraps it or takes
 * it apart, stands where what was beside it went.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { fragmentName } from '../../schema/document-schema.ts'
import { Tally } from '../tally.ts'
import { alice, Desk } from './desk.ts'

const list = '- one\n- two\n- three'

const tally = new Tally()

const item = (words: string, id?: string): Y.XmlElement => {
  tally.add('new items')
  const [made, paragraph, text] = [
    new Y.XmlElement('list_item'),
    new Y.XmlElement('paragraph'),
    new Y.XmlText(),
  ]
  made.insert(0, [paragraph])
  paragraph.insert(0, [text])
  text.insert(0, words)
  if (id !== undefined) made.setAttribute('id', id)
  return made
}

test('law 3: a new item on its way into a list that moves stands in the moved list', async () => {
  for (const at of [0, 1, 3]) {
    const desk = await Desk.of(`${list}\n\nend\n`)
    const before = ['one', 'two', 'three'].map((words) => desk.idsOf(words))
    const holder = desk.ydoc.getXmlFragment(fragmentName).get(0) as Y.XmlElement
    const id = 'bid_0123456789abcdef'
    holder.insert(at, [item('new', id), item('more')])
    desk.text('new').insert(3, 'X')
    desk.text('more').insert(1, 'bold', { strong: {} })
    desk.move('bullet_list')
    desk.send()
    const lines = ['- one', '- two', '- three']
    lines.splice(at, 0, '- newX', '- m**bold**ore')
    assert.is(desk.markdown, `end\n\n${lines.join('\n')}\n`)
    assert.ok(desk.idsOf('newX').includes(id))
    assert.equal(
      ['one', 'two', 'three'].map((words) => desk.idsOf(words)),
      before,
    )
    // What is typed on before the move is heard of finds its place too.
    desk.text('newX').insert(4, 'Y')
    desk.text('bold').insert(3, 'Z')
    desk.send()
    desk.receive()
    assert.match(desk.markdown, '- newXY\n')
    assert.match(desk.markdown, '- m**boZld**ore\n')
    const by = desk.text('newXY').toDelta() as { attributes: { authored: { by: string } } }[]
    assert.equal(
      by.map(({ attributes }) => attributes.authored.by),
      [alice],
    )
  }
})

test('law 3: a new paragraph, a list and a broken line go where their item went', async () => {
  const desk = await Desk.of('- one\n- two\n\nend\n')
  const [holder] = desk.ydoc.getXmlFragment(fragmentName).toArray() as Y.XmlElement[]
  const two = holder?.get(1) as Y.XmlElement
  const inner = new Y.XmlElement('bullet_list')
  inner.insert(0, [item('deep')])
  const broken = new Y.XmlElement('paragraph')
  const [first, second] = [new Y.XmlText(), new Y.XmlText()]
  broken.insert(0, [first, new Y.XmlElement('hard_break'), second])
  first.insert(0, 'a')
  second.insert(0, 'b')
  two.insert(1, [broken, inner])
  desk.move('bullet_list')
  desk.send()
  assert.is(desk.markdown, 'end\n\n- one\n\n- two\n\n  a\\\n  b\n\n  - deep\n')
})

/** What becomes of `- one\n- two`, and where an item in front, between and behind then stands. */
const changes: readonly [name: string, change: (desk: Desk) => void, then: readonly string[]][] = [
  [
    'taken apart',
    (desk) => desk.patch('- one\n- two', 'one\n\ntwo'),
    ['- new\n\none\n\ntwo', 'one\n\n- new\n\ntwo', 'one\n\ntwo\n\n- new'],
  ],
  [
    'taken apart and put in quotes',
    (desk) => {
      desk.patch('- one\n- two', 'one\n\ntwo')
      desk.patch('one', '> one')
      desk.patch('two', '> two')
    },
    ['> - new\n>\n> one\n\n> two', '> one\n>\n> - new\n\n> two', '> one\n\n> two\n>\n> - new'],
  ],
  [
    'moved when its first item was deleted',
    (desk) => {
      desk.edit({ form: 'delete_block', block: String(desk.idsOf('one')[1]) })
      desk.patch('- two', '> - two')
    },
    ['> - new\n> - two', '> - new\n> - two', '> - two\n> - new'],
  ],
  [
    'moved, and then its first item was deleted',
    (desk) => {
      desk.patch('- one\n- two', '> - one\n> - two')
      desk.edit({ form: 'delete_block', block: String(desk.idsOf('one').at(-2)) })
    },
    ['> - new\n> - two', '> - new\n> - two', '> - two\n> - new'],
  ],
  [
    'left empty',
    (desk) => {
      desk.edit({ form: 'move_block', block: String(desk.idsOf('two').at(-1)), beforeBlock: null })
      desk.edit({ form: 'move_block', block: String(desk.idsOf('one').at(-1)), beforeBlock: null })
    },
    ['two\n\n- new\n\none', 'two\n\none\n\n- new', 'two\n\n- new\n\none'],
  ],
]

for (const [name, change, expected] of changes) {
  test(`law 3: a new item stands where what was in its list went: ${name}`, async () => {
    for (const [at, then] of expected.entries()) {
      const desk = await Desk.of('- one\n- two')
      const holder = desk.ydoc.getXmlFragment(fragmentName).get(0) as Y.XmlElement
      holder.insert(at, [item('new')])
      change(desk)
      desk.send()
      assert.is(desk.markdown, `${then}\n`)
    }
  })
}

test('law 3: a new item where one was left empty goes with the list, not with its words', async () => {
  const desk = await Desk.of('- one\n- two')
  desk.edit({ form: 'move_block', block: String(desk.idsOf('one').at(-1)), beforeBlock: null })
  desk.receive()
  const holder = desk.ydoc.getXmlFragment(fragmentName).get(0) as Y.XmlElement
  holder.insert(0, [item('new')])
  desk.patch('- two', '> - two')
  desk.edit({ form: 'delete_block', block: String(desk.idsOf('one')[0]) })
  desk.send()
  assert.is(desk.markdown, '> - new\n> - two\n')
})

test('law 3: a new item in a list that is deleted is gone with it', async () => {
  const desk = await Desk.of(`${list}\n\nend\n`)
  const holder = desk.ydoc.getXmlFragment(fragmentName).get(0) as Y.XmlElement
  holder.insert(1, [item('new')])
  desk.edit({ form: 'delete_block', block: String(desk.idsOf('one')[0]) })
  desk.send()
  assert.is(desk.markdown, 'end\n')
})

test('each case had its item', () => {
  tally.tell('none new blocks', { 'new items': 10 })
})

test.run()
