/**
 * A link or token is worth at most what its maker is worth now (extensions §3): each way in which a
 * maker's access changes, for the link's token, a token that a read minted through it, requests and
 * open editors; the link of general access follows general access alone.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemRuntime } from '../../../../server/runtime.ts'
import { openWorld } from '../world.ts'
import { bearer, MadeScene, type Party } from './made-scene.ts'

const world = await openWorld(systemRuntime)
const scene = new MadeScene(world)
test.after.each(() => scene.stop())
test.after(() => world.close())

type Owned = Awaited<ReturnType<MadeScene['owned']>>
type May = 'write' | 'read' | number

interface Cause {
  readonly name: string
  /** Somebody who makes links here, and what happens to them then. */
  maker(owned: Owned): Promise<{
    readonly maker: Pick<Party, 'headers'>
    happens(): Promise<unknown>
  }>
  /** What the link's token, and one minted through it, may do afterwards. */
  readonly leaves: May
  /** How an editor is closed that was open by it; absent: it stays. */
  readonly closes?: number
}

const inMonth = () => new Date(Date.now() + 30 * 24 * 3_600_000).toISOString()

const causes: readonly Cause[] = [
  {
    name: 'its maker is lowered to viewer',
    async maker({ ada, at }) {
      const quill = await scene.agent('Quill')
      await scene.invite(ada, at, quill)
      return { maker: quill, happens: () => scene.invite(ada, at, quill, 'viewer') }
    },
    leaves: 'read',
    closes: 4403,
  },
  {
    name: 'its maker’s access is taken',
    async maker({ ada, at }) {
      const bob = await scene.person('Bob')
      await scene.invite(ada, at, bob)
      return { maker: bob, happens: () => scene.take(ada, at, bob.actor) }
    },
    leaves: 401,
    closes: 4401,
  },
  {
    name: 'the link is revoked through which its maker came',
    async maker({ ada, at }) {
      const { code, own } = await scene.link(ada, at)
      const happens = () => ada.call('DELETE', `${at}/links/${code}`)
      return { maker: { headers: bearer(own) }, happens }
    },
    leaves: 401,
    closes: 4401,
  },
  {
    name: 'the link is revoked that its maker’s account keeps',
    async maker({ ada, at }) {
      const { code, shared } = await scene.link(ada, at)
      const bob = await scene.person('Bob')
      const opened = await fetch(`http://${world.address}/d${at.slice(5)}?token=${shared}`, {
        redirect: 'manual',
        headers: { ...bob.headers, 'Sec-Fetch-Mode': 'navigate' },
      })
      const [cookie = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';')
      const headers = { ...bob.headers, Cookie: `${bob.headers['Cookie']}; ${cookie}` }
      return { maker: { headers }, happens: () => ada.call('DELETE', `${at}/links/${code}`) }
    },
    leaves: 401,
    closes: 4401,
  },
  {
    name: 'the token of POST /access is taken through which its maker came',
    async maker({ ada, at }) {
      const given = await ada.call('POST', `${at}/access`, { role: 'editor' })
      const own = await scene.mint(at, String(given.body['access_token']))
      const happens = () => scene.take(ada, at, String(given.body['token_id']))
      return { maker: { headers: bearer(own) }, happens }
    },
    leaves: 401,
    closes: 4401,
  },
  {
    name: 'its maker is removed from the team',
    async maker({ ada }) {
      const bob = await scene.person('Bob')
      const added = await ada.call('POST', '/workspace/members', { handle: bob.handle })
      assert.is(added.status, 201, JSON.stringify(added.body))
      const path = `/workspace/members/${encodeURIComponent(bob.actor)}`
      return { maker: bob, happens: () => ada.call('DELETE', path) }
    },
    leaves: 401,
    closes: 4401,
  },
  {
    name: 'the account of its maker deletes itself',
    async maker({ ada, at }) {
      const bob = await scene.person('Bob')
      await scene.invite(ada, at, bob)
      return { maker: bob, happens: () => bob.call('DELETE', '/auth/me', {}) }
    },
    leaves: 'write',
  },
  {
    name: 'the account of its maker, a team member, deletes itself',
    async maker({ ada }) {
      const bob = await scene.person('Bob')
      await ada.call('POST', '/workspace/members', { handle: bob.handle })
      return { maker: bob, happens: () => bob.call('DELETE', '/auth/me', {}) }
    },
    leaves: 'write',
  },
  {
    name: 'the agent that made it deletes itself',
    async maker({ ada, at }) {
      const quill = await scene.agent('Quill')
      await scene.invite(ada, at, quill)
      return { maker: quill, happens: () => quill.call('DELETE', '/agents/me') }
    },
    leaves: 'write',
  },
  {
    name: 'its maker was lowered and deletes itself: nothing comes back',
    async maker({ ada, at }) {
      const quill = await scene.agent('Quill')
      await scene.invite(ada, at, quill)
      const happens = async () => {
        await scene.invite(ada, at, quill, 'viewer')
        await quill.call('DELETE', '/agents/me')
      }
      return { maker: quill, happens }
    },
    leaves: 'read',
    closes: 4403,
  },
  {
    name: 'its maker’s access is taken with keep_links',
    async maker({ ada, at }) {
      const quill = await scene.agent('Quill')
      await scene.invite(ada, at, quill)
      return { maker: quill, happens: () => scene.take(ada, at, quill.actor, true) }
    },
    leaves: 'write',
  },
  {
    name: 'the token of its maker is taken with keep_links',
    async maker({ ada, at }) {
      const given = await ada.call('POST', `${at}/access`, { role: 'editor' })
      const own = await scene.mint(at, String(given.body['access_token']))
      const happens = () => scene.take(ada, at, String(given.body['token_id']), true)
      return { maker: { headers: bearer(own) }, happens }
    },
    leaves: 'write',
  },
  {
    name: 'its maker leaves of their own accord and keeps the links',
    async maker({ ada, at }) {
      const quill = await scene.agent('Quill')
      await scene.invite(ada, at, quill)
      return { maker: quill, happens: () => scene.take(quill, at, quill.actor, true) }
    },
    leaves: 'write',
  },
]

for (const { name, maker: prepare, leaves, closes } of causes) {
  test(`§13 a link and what came through it when ${name}`, async () => {
    const owned = await scene.owned()
    const { ada, at } = owned
    const { maker, happens } = await prepare(owned)
    const { code, shared, own } = await scene.link(maker, at, { expires_at: inMonth() })
    for (const token of [shared, own]) assert.is(await scene.may(at, token), 'write')
    const editors = [await scene.editor(at, shared), await scene.editor(at, own)]
    await happens()
    if (closes === undefined) {
      for (const editor of editors) await scene.stillWrites(editor, at, ada)
    } else for (const editor of editors) assert.is(await editor.code(), closes)
    for (const token of [shared, own]) {
      // What an account leaves is settled in the background.
      assert.is(await scene.may(at, token), leaves)
    }
    const followed = await scene.send({}, 'GET', `/s/${code}`)
    assert.is(followed.status, leaves === 401 ? 404 : 200)
    const listed = await ada.call('GET', `${at}/links`)
    const [link] = (listed.body['links'] as { code: string; current_role: string | null }[]).filter(
      (one) => one.code === code,
    )
    const current = leaves === 'write' ? 'editor' : leaves === 'read' ? 'viewer' : null
    assert.is(link?.current_role, current)
  })
}

test('§13 a link ends no later than the link through which its maker came', async () => {
  const { ada, at } = await scene.owned()
  const endsAt = Date.now() + 1_500
  const first = await scene.link(ada, at, { expires_at: new Date(endsAt).toISOString() })
  const { shared, own } = await scene.link({ headers: bearer(first.own) }, at)
  const editors = [await scene.editor(at, shared), await scene.editor(at, own)]
  for (const editor of editors) assert.is(await editor.code(), 4401)
  assert.ok(Date.now() >= endsAt - 50, 'not before')
  assert.is(await scene.may(at, own), 401)
})

test('§13 an owner’s token is worth what the one who made it is worth, after a new owner too', async () => {
  const { ada, at } = await scene.owned()
  const given = await ada.call('POST', `${at}/access`, { role: 'editor' })
  const token = String(given.body['access_token'])
  const own = await scene.mint(at, token)
  const editor = await scene.editor(at, own)
  const bob = await scene.account('Bob')
  await ada.call('POST', `${at}/owner`, { handle: bob.handle })
  assert.is((await bob.call('POST', `${at}/owner/accept`)).status, 200)
  await scene.stillWrites(editor, at, bob)
  await scene.invite(bob, at, ada, 'viewer')
  assert.is(await editor.code(), 4403)
  assert.is(await scene.may(at, token), 'read')
  await scene.take(bob, at, ada.actor)
  assert.is(await scene.may(at, own), 401)
})

test('§13 the link of general access follows link_access alone, whoever asked for it', async () => {
  const { ada, at } = await scene.owned()
  const quill = await scene.agent('Quill')
  await scene.invite(ada, at, quill)
  await ada.call('PATCH', `${at}/link-access`, { mode: 'anyone', role: 'editor' })
  const asked = await quill.call('POST', `${at}/share-link`)
  const shared = await scene.tokenBy(String(asked.body['code']))
  const own = await scene.mint(at, shared)
  const byGuest = await scene.link({ headers: bearer(own) }, at)
  const editors = [await scene.editor(at, own), await scene.editor(at, byGuest.own)]
  await scene.take(ada, at, quill.actor)
  for (const editor of editors) await scene.stillWrites(editor, at, ada)
  await ada.call('PATCH', `${at}/link-access`, { mode: 'anyone', role: 'viewer' })
  for (const editor of editors) assert.is(await editor.code(), 4403)
  for (const token of [shared, own, byGuest.own]) assert.is(await scene.may(at, token), 'read')
  await ada.call('PATCH', `${at}/link-access`, { mode: 'restricted' })
  for (const token of [own, byGuest.own]) {
    assert.is((await scene.send(bearer(token), 'GET', at)).status, 403)
  }
})

test('§13 a chain of three: whatever changes at its beginning is seen at its end', async () => {
  const { ada, at } = await scene.owned()
  const quill = await scene.agent('Quill')
  await scene.invite(ada, at, quill)
  const first = await scene.link(quill, at)
  const second = await scene.link({ headers: bearer(first.own) }, at)
  const third = await scene.link({ headers: bearer(second.own) }, at)
  const one = await scene.editor(at, third.own)
  await scene.invite(ada, at, quill, 'commenter')
  assert.is(await one.code(), 4403)
  assert.is(await scene.may(at, third.shared), 'read')
  await scene.invite(ada, at, quill, 'editor')
  assert.is(await scene.may(at, third.own), 'write')
  const again = await scene.editor(at, third.own)
  await ada.call('DELETE', `${at}/links/${second.code}`)
  assert.is(await again.code(), 4401)
  assert.equal([await scene.may(at, first.own), await scene.may(at, third.own)], ['write', 401])
})

test('§13 people whom somebody invited stay when the one who invited them goes', async () => {
  const { ada, at } = await scene.owned()
  const [bob, eve] = [await scene.person('Bob'), await scene.person('Eve')]
  await scene.invite(ada, at, bob)
  await scene.invite(bob, at, eve)
  const listed = await ada.call('GET', `${at}/access`)
  const grants = listed.body['grants'] as { actor_id: string; invited_by: string | null }[]
  const by = new Map(grants.map(({ actor_id, invited_by }) => [actor_id, invited_by]))
  assert.equal([by.get(bob.actor), by.get(eve.actor)], [ada.actor, bob.actor])
  await scene.take(ada, at, bob.actor)
  assert.is((await eve.call('GET', at)).body['your_role'], 'editor')
})

test('§13 two who keep each other’s links do not keep each other in', async () => {
  const { ada, at } = await scene.owned()
  const [bob, eve] = [await scene.person('Bob'), await scene.person('Eve')]
  await scene.invite(ada, at, bob)
  await scene.invite(ada, at, eve)
  const links = [await scene.link(bob, at), await scene.link(eve, at)] as const
  const keeps = async (who: Party, { shared }: { readonly shared: string }) => {
    const opened = await fetch(`http://${world.address}/d${at.slice(5)}?token=${shared}`, {
      redirect: 'manual',
      headers: { ...who.headers, 'Sec-Fetch-Mode': 'navigate' },
    })
    const [cookie = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';')
    const headers = { ...who.headers, Cookie: `${who.headers['Cookie']}; ${cookie}` }
    const edits = [{ old_string: 'words', new_string: 'words' }]
    assert.is((await scene.send(headers, 'PATCH', at, { edits })).status, 200)
  }
  await keeps(eve, links[0])
  await keeps(bob, links[1])
  await scene.take(ada, at, bob.actor)
  assert.is((await bob.call('GET', at)).status, 403, 'what bob kept went with his grant')
  await scene.invite(ada, at, bob, 'viewer')
  await keeps(bob, links[1])
  await scene.invite(ada, at, eve, 'viewer')
  for (const who of [bob, eve]) {
    assert.is((await who.call('GET', at)).body['your_role'], 'viewer')
  }
})

test.run()
