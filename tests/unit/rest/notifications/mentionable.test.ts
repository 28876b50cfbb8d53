/** Extensions §13: who may be mentioned, in a document in which very many took part. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Thread } from '../../../../core/documents/threads/thread.ts'
import { speakersIn } from '../../../../core/documents/views/view-data.ts'
import type { DocumentContext } from '../../../../rest/admission/document-access.ts'
import {
  mentionable,
  mentionablePerSource,
  type Sought,
} from '../../../../rest/notifications/mentionable.ts'
import type { ActorId } from '../../../../schema/ids.ts'
import { limits } from '../../../../schema/limits.ts'

const many = 5_000
const bound = 2 + 3 * mentionablePerSource
const ids = (name: string) => Array.from({ length: many }, (_, n) => `ai:${name}-${n}` as ActorId)
const handleOf = (id: string) => id.slice(id.indexOf(':') + 1)

/** Thousands who commented, each in a thread, the first the newest; who wrote; who has a grant. */
function crowded() {
  let lookedUp = 0
  const [said, wrote, granted] = [ids('said'), ids('wrote'), ids('granted')]
  const threads = said.map((by) => ({
    comments: [{ by: said.at(-1) }, { by: 'human:often' }, { by }],
  })) as unknown as Thread[]
  const grants = granted.slice(0, limits.grantsReadPerPage).map((actor, index, { length }) => ({
    actor,
    source: index === length - 1 ? 'invite' : 'link',
  }))
  const access = {
    ownership: async () => ({ owner: 'human:owner' }),
    grants: async () => ({ grants, next: undefined }),
    mentioned: async (_: unknown, [name = '']: readonly string[]) => {
      const holder = granted.find((id) => handleOf(id) === name)
      return new Map(holder && [[name, { actor: holder, hasAccess: true }]])
    },
    actors: async (asked: readonly ActorId[]) => {
      lookedUp += asked.length
      const shown = (id: ActorId) => ({ actor_id: id, handle: handleOf(id), name: handleOf(id) })
      return Object.fromEntries(asked.map((id) => [id, shown(id)]))
    },
  }
  const speakers = () => speakersIn(threads, mentionablePerSource)
  const documents = { read: async () => ({ speakers, authors: () => wrote }) }
  const services = { documents, people: { access } } as unknown as Sought
  const sources = { address: '', link: '' }
  const find = async (q: string) => {
    lookedUp = 0
    const { people } = await mentionable({ access: {} } as DocumentContext, q, {
      sources,
      services,
    })
    return { found: people.map(({ handle }) => handle), lookedUp }
  }
  return { find }
}

test('of thousands a bounded number is looked up, whoever is sought', async () => {
  const { find } = crowded()
  const nobody = await find('nobody')
  assert.equal(nobody.found, [])
  assert.ok(nobody.lookedUp <= bound, `${nobody.lookedUp} looked up`)
  const any = await find('')
  assert.is(any.found.length, 20)
  assert.ok(any.lookedUp <= 100, `${any.lookedUp} looked up`)
})

test('the owner, who spoke last, who wrote, and who was invited are found in any crowd', async () => {
  const { find } = crowded()
  for (const handle of ['owner', 'often', 'said-17', 'wrote-3']) {
    assert.is((await find(handle)).found[0], handle)
  }
  assert.is((await find(`granted-${limits.grantsReadPerPage - 1}`)).found[0], 'granted-999')
})

test('who has access and is named by the whole handle is found, however many there are', async () => {
  const { find } = crowded()
  const { found, lookedUp } = await find(`@Granted-${many - 1}`)
  assert.equal(found, [`granted-${many - 1}`])
  assert.ok(lookedUp <= bound)
})

test.run()
