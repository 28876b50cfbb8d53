/** Extensions §1: images of the service in an export have its present address, others their own. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withPresentImages } from '../../../schema/own-images.ts'

const slug = 'a'.repeat(20)
const own = `/docs/${slug}/images/img_${'b'.repeat(20)}`
const gone = `/docs/${slug}/images/img_${'c'.repeat(20)}`
const base = 'https://new.example/wiki'

const exported = (markdown: string) =>
  withPresentImages(markdown, base, async ({ id }) => id.endsWith('b'))

for (const [what, address] of [
  ['another host', `https://old.example${own}`],
  ['another port', `http://localhost:4000${own}`],
  ['another path prefix', `https://new.example/old/path${own}`],
  ['no host', own],
  ['no host and a prefix', `/wiki${own}`],
] as const) {
  test(`an own image under ${what} has the present address`, async () => {
    for (const [before, after] of [
      ['![a](', ')'],
      ['![a](<', '>)'],
      ['![a](', ' "Title")'],
      ['[a]: ', '\n'],
      ['<img src="', '" width="10">'],
    ]) {
      const text = `Words.\n\n${before}${address}${after}`
      assert.is(await exported(text), `Words.\n\n${before}${base}${own}${after}`)
    }
  })
}

test('what is no own image stays as it is', async () => {
  for (const text of [
    `![of a service like this](https://other.example${gone})`,
    `![with a query](https://old.example${own}?x=1)`,
    `![longer](https://old.example${own}x)`,
    `![with a name](https://a@old.example${own})`,
    `![a query of another](https://old.example/?at=${own})`,
    `Words about https://old.example${own} in a text.`,
    `\`\`\`\n![code](https://old.example${own})\n\`\`\`\n`,
    `![the present](${base}${own})`,
  ]) {
    assert.is(await exported(text), text)
  }
})

test('each image is looked up once', async () => {
  const asked: string[] = []
  await withPresentImages(`![a](${own}) ![b](${own})`, base, async ({ id }) => {
    asked.push(id)
    return true
  })
  assert.is(asked.length, 1)
})

test.run()
