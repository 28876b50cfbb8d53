/**
 * A document that another version of the service printed otherwise: the revision that was read
 * stays as it was read, and what the text is now is a revision by the service (extensions §12).
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyDocument } from '../../../core/documents/verify.ts'
import { docText } from '../../../persistence/keys.ts'
import type { Slug } from '../../../schema/ids.ts'
import { type Created, startService } from '../../unit/rest/service.ts'
import { printedBefore } from './printed-before.ts'

const service = await startService()
test.after(() => service.close())

const now = 'one **a:**漢 three\n'
const before = 'one **a:**&#28450; three\n'

/** As the store of a service has it that wrote the letter behind the mark as a reference. */
async function madeBefore(): Promise<Created> {
  const made = await service.create(now, 'Quill')
  await printedBefore(service.store, made.slug as Slug, before)
  return made
}

const textAt = async ({ slug, token }: Created, revision: number) => {
  const { json } = await service.call('GET', `/docs/${slug}?revision=${revision}`, { token })
  return String(json['markdown'])
}

test('the service notes what is printed otherwise, once, and the past stays as it was', async () => {
  const made = await madeBefore()
  const { slug, token } = made
  const edits = [{ old_string: 'one', new_string: 'two' }]
  const body = { base_revision: 1, edits }
  const answer = await service.call('PATCH', `/docs/${slug}`, { token, body })
  assert.equal([answer.status, answer.json['revision']], [200, 3])
  assert.is(await textAt(made, 1), before)
  assert.is(await textAt(made, 2), now)
  assert.is(await textAt(made, 3), now.replace('one', 'two'))
  const { json } = await service.call('GET', `/docs/${slug}/history`, { token })
  const rows = json['entries'] as { revision: number }[]
  const own = rows.find(({ revision }) => revision === 2)
  assert.ok(JSON.stringify(own).includes('service:corrections'), JSON.stringify(own))
  assert.is(await verifyDocument(service.store, slug as Slug, service.runtime), undefined)
})

test('a document that nobody has opened since is whole', async () => {
  const { slug } = await madeBefore()
  const verify = () => verifyDocument(service.store, slug as Slug, service.runtime)
  assert.is(await verify(), undefined)
  await service.store.commit({
    puts: [{ key: docText(slug as Slug, 1), value: Buffer.from(`x${before}`) }],
  })
  assert.is(await verify(), 'the history does not lead to the present text')
})

test.run()
