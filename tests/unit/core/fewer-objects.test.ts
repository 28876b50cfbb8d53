/** What Yjs keeps for each type in fewer objects: shared by all that nobody listens to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { shareListeners } from '../../../core/yjs/fewer-objects.ts'

function paragraphIn(ydoc: Y.Doc): Y.XmlElement {
  const paragraph = new Y.XmlElement('paragraph')
  ydoc.getXmlFragment('prosemirror').push([paragraph])
  paragraph.push([new Y.XmlText('text')])
  shareListeners(paragraph)
  return paragraph
}

test('whoever would listen to a type that is shared is told, and the others hear nothing', () => {
  const first = paragraphIn(new Y.Doc())
  const second = paragraphIn(new Y.Doc())
  for (const type of [first, first.get(0), second]) {
    assert.throws(() => type.observe(() => {}), /not extensible/)
    assert.throws(() => type.observeDeep(() => {}), /not extensible/)
  }
})

test('a type that is shared is written as before, and those around it are still heard', () => {
  const ydoc = new Y.Doc()
  const paragraph = paragraphIn(ydoc)
  const heard: number[] = []
  ydoc.getXmlFragment('prosemirror').observeDeep((events) => heard.push(events.length))
  const text = paragraph.get(0) as Y.XmlText
  text.insert(4, ' more')
  paragraph.setAttribute('id', 'b')
  assert.is(paragraph.toString(), '<paragraph id="b">text more</paragraph>')
  assert.equal(heard, [1, 1])
})

test.run()
