/**
 * Law: when the disk takes no more, the service ends with a code other than 0, so that a supervisor
 * starts it again, and what it acknowledged is there when it does.
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
  ended: Promise<number | null> = Promise.resolve(null)

  override spawn(...[file, args, env]: Parameters<Service['spawn']>) {
    const child = this.isCramped ? cramped(file, args, env) : super.spawn(file, args, env)
    this.ended = new Promise((resolve) => child.on('close', resolve))
    return child
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

test('a failed write ends the process; nothing acknowledged is lost', async () => {
  await service.start()
  const kept = new Map<string, string>()
  for (let at = 0; at < 100; at++) {
    const markdown = `document ${at}\n\n${`${at} words `.repeat(4000)}end\n`
    const made = await service.post('/docs', { markdown }).catch(() => undefined)
    if (made?.status !== 201) break
    kept.set(asText(made.body['id']), asText(made.body['access_token']))
  }
  assert.is(await within(10_000, service.ended), 1)
  assert.match(service.output, /the store failed/)
  assert.ok(kept.size > 0 && kept.size < 100, `${kept.size} documents`)
  const tally = new Tally()
  tally.add('documents acknowledged', kept.size)
  tally.tell('none full disk', { 'documents acknowledged': 1 })
  service.isCramped = false
  await service.start()
  for (const [slug, token] of kept) {
    const read = await service.get(`/docs/${slug}`, token)
    assert.is(read.status, 200, read.text.slice(0, 200))
  }
})

test.run()
