/**
 * Law: when the disk takes no more, the service goes on reading and refuses writes; what it
 * acknowledged is there, also after a kill.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../chance.ts'
import { type Child, startChild } from '../child.ts'
import { asText, Service, within } from '../client.ts'
import { largePng } from '../pictures.ts'
import { Tally } from '../tally.ts'
import { registerAgent } from './matrix/scenes.ts'

/**
 * Its process can write no file beyond a mebibyte while it is cramped: EFBIG, as ENOSPC would be.
 */
class CrampedService extends Service {
  isCramped = true

  override spawn(...[file, args, env]: Parameters<Service['spawn']>) {
    return this.isCramped ? cramped(file, args, env) : super.spawn(file, args, env)
  }
}

function cramped(...[file, args, env]: Parameters<Service['spawn']>): Child {
  const script = 'trap "" XFSZ; ulimit -f 1024; exec "$@"'
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
  const through = ['bash', '-c', script, 'bash'] as const
  return startChild({ file, args, env: { ...inherited, ...env }, through: [...through] })
}

const service = new CrampedService()
test.after(() => service.remove())

test('an upload that the disk does not take is 503, leaves nothing, and ends nothing', async () => {
  await service.start()
  const { secret: token } = await registerAgent(service, 'Uploader')
  const made = await service.ask('POST', '/docs', { token, body: { markdown: '# Pictures' } })
  const at = `/docs/${asText(made.body['id'])}/images`
  const send = (bytes: number) => {
    const raw = largePng(bytes, new Chance(bytes))
    return service.ask('POST', at, { token, raw, headers: { 'content-type': 'image/png' } })
  }
  const refused = await send(2_000_000)
  assert.equal([refused.status, refused.body['code']], [503, 'UNAVAILABLE'])
  assert.is((await send(500_000)).status, 201)
  const files = readdirSync(join(service.environment.DATA_DIR, 'blobs'), { recursive: true })
  assert.is(files.length, 2, 'a folder and its one blob')
  await service.end('SIGTERM')
})

test('extensions §8: a full disk leaves the service reading, and writing when it has room', async () => {
  await service.start()
  const kept = new Map<string, string>()
  const create = async (at: number) => {
    const markdown = `document ${at}\n\n${`${at} words `.repeat(4000)}end\n`
    const made = await service.post('/docs', { markdown })
    if (made.status === 201) kept.set(asText(made.body['id']), asText(made.body['access_token']))
    return made
  }
  let made = await create(0)
  for (let at = 1; at < 100 && made.status === 201; at++) made = await create(at)
  assert.equal([made.status, made.body['code']], [503, 'UNAVAILABLE'])
  const readAll = async () => {
    for (const [slug, token] of kept) {
      const read = await service.get(`/docs/${slug}`, token)
      assert.is(read.status, 200, read.text.slice(0, 200))
    }
  }
  await readAll()
  const fullLines = () => service.output.match(/the disk is full/g)?.length ?? 0
  assert.is(fullLines(), 1)
  const before = kept.size
  const again = async () => {
    while ((await create(100)).status !== 201) {}
  }
  await within(60_000, again())
  assert.ok(kept.size > before)
  assert.match(service.output, /the disk has space again/)
  await readAll()
  const tally = new Tally()
  tally.add('documents acknowledged', kept.size)
  tally.tell('none full disk', { 'documents acknowledged': 1 })
  service.isCramped = false
  await service.end('SIGKILL')
  await service.start()
  await readAll()
})

test.run()
