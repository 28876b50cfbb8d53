/**
 * Who types in a link definition changes where the links lead that go by it: they follow in the
 * same commit, and are still written by reference.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import type { ActorId } from '../../../../../schema/ids.ts'
import { testRuntime } from '../model/tree-desk.ts'
import { KeptState } from '../state/kept-state.ts'

const anna = 'human:anna' as ActorId

/** A stock editor's copy of a document, in which text is typed. */
async function opened(markdown: string) {
  const kept = await KeptState.of(markdown, testRuntime())
  const ydoc = new Y.Doc()
  kept.open(ydoc, anna)
  const fragment = ydoc.getXmlFragment(fragmentName)
  const definition = (): Y.XmlText => {
    const blocks = fragment.toArray() as Y.XmlElement[]
    const block = blocks.find(({ nodeName }) => nodeName === 'link_definition')
    return block?.get(0) as Y.XmlText
  }
  const text = () => kept.now.text.toString()
  const hears = () => assert.is(Y.encodeStateVector(ydoc).join(), vector(kept), 'all is heard')
  return { kept, ydoc, definition, text, hears }
}

const vector = (kept: KeptState): string => Y.encodeStateVector(kept.now.ydoc).join()

const linked = [
  'See *[one][ref]* and [ref], not [two](https://b.example).',
  '- [ref][]\n- [![p](p.png)][REF]\n\n> [Heading][ref]\n> ===',
  '| a          | b |\n| ---------- | - |\n| [x][ref]   | c |',
]
const document = (definition: string, blocks = linked): string =>
  `${[...blocks, definition].join('\n\n')}\n`

test('links by reference follow the address that is typed, letter by letter', async () => {
  const { definition, text, hears, kept } = await opened(document('[ref]: https://a.example'))
  let [address, writes] = ['https://a.example', 0]
  for (const letter of '/page') {
    definition().insert(definition().length, letter)
    address += letter
    assert.is(text(), document(`[ref]: ${address}`))
    const nodes = JSON.stringify(kept.now.text.node(0).toJSON())
    assert.ok(nodes.includes(`"${address}"`), nodes)
    hears()
    writes++
  }
  assert.is(writes, 5)
  definition().delete(definition().length - 5, 5)
  assert.is(text(), document('[ref]: https://a.example'))
})

test('a link with an address of its own stays, and so does what is said otherwise', async () => {
  const own = 'An [own](https://a.example) one.'
  const blocks = [...linked, own]
  const { definition, text } = await opened(document('[ref]: https://a.example', blocks))
  definition().insert(definition().length, '/x')
  assert.is(text(), document('[ref]: https://a.example/x', blocks))
})

test('while the label is another one, links keep their address, and come back with it', async () => {
  const { definition, text } = await opened(document('[ref]: https://a.example'))
  definition().insert(4, 's')
  assert.ok(text().startsWith('See *[one](https://a.example)* and [ref](https://a.example), not'))
  definition().delete(4, 1)
  assert.is(text(), document('[ref]: https://a.example'))
})

test('of two definitions with one label the first counts', async () => {
  const first = '[ref]: https://a.example\n[ref]: https://c.example'
  const { definition, text, ydoc } = await opened(document(first))
  definition().insert(definition().length, '/x')
  assert.is(text(), document('[ref]: https://a.example/x\n[ref]: https://c.example'))
  const blocks = ydoc.getXmlFragment(fragmentName)
  const index = (blocks.toArray() as Y.XmlElement[]).findIndex(
    ({ nodeName }) => nodeName === 'link_definition',
  )
  blocks.delete(index, 1)
  assert.is(text(), document('[ref]: https://c.example'))
})

test.run()
