/** Websocket upgrades up to the decision (interface §5 rule 1, §6): who may, and who hears what. */
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { refuseUpgrade } from '../../../../rest/admission/upgrade.ts'
import type { Admission } from '../../../../rest/create-rest.ts'
import { systemRuntime } from '../../../../server/runtime.ts'
import { startService } from '../service.ts'

const service = await startService()
const server = createServer()
const switching = 'HTTP/1.1 101 Switching Protocols'
/** The decision on the last upgrade that went through. */
let admitted: Admission | undefined
server.on('upgrade', (request, socket) => {
  void service.rest.authenticateUpgrade(request).then(
    (admission) => {
      admitted = admission
      socket.end(`${switching}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    },
    (error: unknown) => void refuseUpgrade(socket, error, systemRuntime),
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
test.after(async () => {
  server.close()
  await service.close()
})

const made = await service.create('one', 'Ada')
const changes = `/docs/${made.slug}/changes/connect`
const live = `/docs/${made.slug}/live`

interface Decided {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: IncomingMessage['headers']
}

function upgrade(path: string, headers: Record<string, string> = {}): Promise<Decided> {
  const { port } = server.address() as AddressInfo
  const all = { Connection: 'Upgrade', Upgrade: 'websocket', ...headers }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', path, headers: all })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, body: {}, headers: response.headers })
    })
    request.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(text) as Record<string, unknown>,
          headers: response.headers,
        }),
      )
    })
    request.on('error', reject)
    request.end()
  })
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

test('§6.1 the change stream takes a Bearer header', async () => {
  assert.is((await upgrade(`${changes}?since_revision=1`, bearer(made.token))).status, 101)
  assert.is(admitted?.kind, 'changes')
  assert.is(admitted?.slug, made.slug)
  assert.is(admitted?.access.role, 'editor')
  assert.is(admitted?.query.get('since_revision'), '1')
})

test('§5 rule 1: the change stream takes a document token as ?token=', async () => {
  assert.is((await upgrade(`${changes}?token=${made.token}`)).status, 101)
  assert.is((await upgrade(`${changes}?token=${made.shareToken}`)).status, 101)
})

test('§5 rule 1: an agent secret belongs in the header', async () => {
  const agent = await service.call('POST', '/agents/register', { body: { name: 'Robo' } })
  const secret = String(agent.json['agent_secret'])
  assert.is((await upgrade(changes, bearer(secret))).status, 101)
  const { body } = await upgrade(`${changes}?token=${secret}`)
  assert.is(body['code'], 'AUTH_HEADER_REQUIRED')
})

test('§5 rule 1: tokenless link access is not enough', async () => {
  for (const path of [changes, live]) {
    const { status, body } = await upgrade(path)
    assert.is(status, 401)
    assert.is(body['code'], 'AUTH_REQUIRED')
  }
})

test('§5 a live editor’s address never carries a token', async () => {
  const { body } = await upgrade(`${live}?token=${made.token}`)
  assert.is(body['code'], 'AUTH_HEADER_REQUIRED')
})

test('a live editor may send the pair yjs, bearer.<token>; the answer is yjs', async () => {
  const headers = { 'Sec-WebSocket-Protocol': `yjs, bearer.${made.token}` }
  assert.is((await upgrade(live, headers)).status, 101)
  assert.is(admitted?.kind, 'live')
  assert.is(admitted?.protocol, 'yjs')
  assert.is((await upgrade(live, bearer(made.token))).status, 101)
  assert.is(admitted?.protocol, undefined)
})

test('extensions §5: the service’s own page shows what anyone may read, and no other does', async () => {
  assert.is((await upgrade(live, { Origin: 'https://docs.example' })).status, 101)
  assert.is(admitted?.access.role, 'viewer')
  assert.is(admitted?.access.writer, undefined)
  assert.is(admitted?.linkless, true)
  assert.is((await admitted?.refresh())?.role, 'viewer')
  assert.is((await upgrade(live, { Origin: 'https://evil.example' })).status, 401)
  assert.is((await upgrade(changes, { Origin: 'https://docs.example' })).status, 401)
})

test('extensions §3: a browser comes by its cookie, from its own Origin alone', async () => {
  const Cookie = `link=${made.shareToken}; visitor=${'v'.repeat(43)}`
  for (const path of [live, changes]) {
    assert.is((await upgrade(path, { Cookie })).body['code'], 'FORBIDDEN')
    const foreign = await upgrade(path, { Cookie, Origin: 'https://evil.example' })
    assert.is(foreign.body['code'], 'FORBIDDEN')
    const headers = { Cookie, Origin: 'https://docs.example' }
    assert.is((await upgrade(path, headers)).status, 101)
    assert.is(admitted?.access.role, 'editor')
    assert.is(admitted?.access.actor, undefined)
    assert.is(admitted?.access.writer, undefined)
  }
  const other = await service.create('two')
  const there = await upgrade(`/docs/${other.slug}/changes/connect`, {
    Cookie,
    Origin: 'https://docs.example',
  })
  assert.is(there.status, 401)
  const bearer = { Cookie, Origin: 'https://evil.example', Authorization: `Bearer ${made.token}` }
  assert.is((await upgrade(live, bearer)).status, 101)
  assert.is(admitted?.credential.kind, 'token')
})

test('an upgrade is refused in HTTP, in the order of every refusal', async () => {
  const gone = 'a'.repeat(20)
  const other = await service.create('two')
  const cases: [string, Record<string, string>, number, string][] = [
    [`/docs/${made.slug}/nowhere`, bearer('x'), 404, 'NOT_FOUND'],
    [`/docs/${gone}/live?token=x`, bearer('x'), 404, 'DOC_NOT_FOUND'],
    [live, bearer('x'), 401, 'AUTH_REQUIRED'],
    [live, bearer(other.token), 403, 'FORBIDDEN'],
    [changes, bearer(other.token), 403, 'FORBIDDEN'],
  ]
  for (const [path, headers, status, code] of cases) {
    const answer = await upgrade(path, headers)
    assert.is(answer.status, status, path)
    assert.is(answer.body['code'], code)
    assert.is(answer.body['request_id'], answer.headers['x-request-id'])
  }
})

test('without an upgrade these addresses are UPGRADE_REQUIRED, after every other refusal', async () => {
  for (const path of [changes, live]) {
    const { json, headers } = await service.call('GET', path, { token: made.token })
    assert.is(json['code'], 'UPGRADE_REQUIRED')
    assert.is(headers['upgrade'], 'websocket')
    assert.is((await service.call('GET', path)).json['code'], 'AUTH_REQUIRED')
  }
})

test('an admission can be asked again, and hears of a name', async () => {
  const nameless = await service.create('three')
  await upgrade(`/docs/${nameless.slug}/live`, bearer(nameless.token))
  assert.is(admitted?.access.writer, undefined)
  const hinted = new Promise<void>((resolve) => void admitted?.watch(resolve))
  const body = { display_name: 'Ada', slug: nameless.slug }
  await service.call('POST', '/agents/identify', { token: nameless.token, body })
  await hinted
  const access = await admitted?.refresh()
  assert.is(access?.writer?.authMethod, 'token')
  assert.match(String(access?.writer?.ipHash), /^[0-9a-f]{64}$/)
  assert.is(access?.holder, admitted?.access.holder)
})

test.run()
