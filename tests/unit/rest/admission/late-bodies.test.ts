/**
 * A body arrives as slowly as its sender likes, and large work waits for its turn: what counts is
 * what the caller may do when it is there (interface §5, extensions §8).
 */
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sha256Hex } from '../../../../core/records/secrets.ts'
import { tokenBySha256 } from '../../../../persistence/keys.ts'
import type { ActorId, Slug } from '../../../../schema/ids.ts'
import { startService, type TestService } from '../service.ts'

interface Scene {
  readonly service: TestService
  readonly slug: Slug
  /** Of an editor by the document's general access. */
  readonly token: string
}

async function scene(): Promise<Scene> {
  const service = await startService()
  const { slug, shareToken } = await service.create('old\n', 'Maker')
  const { json } = await service.call('GET', `/docs/${slug}?docs`, { token: shareToken })
  const token = String(json['your_token'])
  const body = { display_name: 'Ed', slug }
  assert.is((await service.call('POST', '/agents/identify', { token, body })).status, 200)
  // As the links have that are made for the general access: their role is its role.
  const key = tokenBySha256(sha256Hex(token))
  const record = JSON.parse(Buffer.from((await service.store.get(key))?.value ?? []).toString())
  const value = Buffer.from(JSON.stringify({ ...record, follows: true }))
  await service.store.commit({ puts: [{ key, value }] })
  return { service, slug: slug as Slug, token }
}

const maker = { writer: { actor: 'human:maker' as ActorId, authMethod: 'token' } } as const

const revoked = ({ service: { store }, token }: Scene) =>
  store.commit({ deletes: [tokenBySha256(sha256Hex(token))] })

/** What may happen while a body is under way, and what its sender is told then. */
const meanwhile: readonly (readonly [string, string, (scene: Scene) => Promise<unknown>])[] = [
  ['its token was revoked', '401 AUTH_REQUIRED', revoked],
  [
    'its role was lowered',
    '403 FORBIDDEN',
    async ({ service: { documents }, slug }) =>
      documents.configure(slug, { linkAccess: { mode: 'anyone', role: 'viewer' } }, maker),
  ],
  [
    'nobody may come by the link any more',
    '403 FORBIDDEN',
    async ({ service: { documents }, slug }) =>
      documents.configure(slug, { linkAccess: { mode: 'restricted', role: 'editor' } }, maker),
  ],
  [
    'the document was locked',
    '403 DOC_READ_ONLY',
    async ({ service: { documents }, slug }) =>
      documents.configure(slug, { readOnly: true }, maker),
  ],
]

const edit = JSON.stringify({ edits: [{ old_string: 'old', new_string: 'new' }] })
const whole = JSON.stringify({ base_revision: 1, replace_document: 'new\n' })

/**
 * Sends half of the body, lets something happen, sends the rest, or all of it at once; answers
 * status and code.
 */
async function slowly(
  { service, token }: Scene,
  [method, path, body]: readonly [string, string, string],
  happen?: () => Promise<unknown>,
): Promise<string> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  let answer = ''
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('data', (data) => {
    answer += data.toString()
  })
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Authorization: Bearer ${token}`,
  ]
  const first = happen === undefined ? body.length : 10
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, first)}`)
  if (happen !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.is(answer, '', 'it waits for the rest')
    await happen()
    socket.write(body.slice(first))
  }
  await ended
  const status = /^HTTP\/1.1 (\d+)/.exec(answer)?.[1]
  return `${status} ${/"code":"(\w+)"/.exec(answer)?.[1]}`
}

for (const [what, expected, happen] of meanwhile) {
  for (const [form, body] of [
    ['an edit', edit],
    ['a whole new text', whole],
  ] as const) {
    test(`§5 ${form} whose body comes after ${what} changes nothing`, async () => {
      const at = await scene()
      const call = ['PATCH', `/docs/${at.slug}`, body] as const
      assert.is(await slowly(at, call, () => happen(at)), expected)
      assert.is((await at.service.documents.read(at.slug, { markdown: true })).markdown, 'old\n')
      await at.service.close()
    })
  }
}

test('§4.2 a create whose body comes after its token was revoked makes nothing', async () => {
  const at = await scene()
  const call = ['POST', '/docs', JSON.stringify({ markdown: 'new\n' })] as const
  assert.is(await slowly(at, call, () => revoked(at)), '401 AUTH_REQUIRED')
  const documents = new Set<string>()
  for await (const { key } of at.service.store.scan({ gte: 'doc/', lt: 'doc0' })) {
    documents.add(key.split('/')[1] ?? '')
  }
  assert.equal([...documents], [at.slug])
  await at.service.close()
})

test('a body that is there with the headers is asked for once, one that comes later again', async () => {
  const at = await scene()
  const { service, slug } = at
  const { documents } = service
  const facts = documents.facts.bind(documents)
  let asked = 0
  documents.facts = (of) => {
    asked++
    return facts(of)
  }
  const replacing = (old: string, by: string) =>
    JSON.stringify({ edits: [{ old_string: old, new_string: by }] })
  const path = `/docs/${slug}`
  const told = await slowly(at, ['PATCH', path, replacing('old', 'young')])
  const once = asked
  const later = await slowly(at, ['PATCH', path, replacing('young', 'new')], async () => {})
  await service.close()
  assert.equal([told, once], ['200 undefined', 1])
  assert.equal([later, asked - once], ['200 undefined', 2])
})

test.run()
