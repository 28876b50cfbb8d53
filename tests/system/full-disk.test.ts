/**
 * Law: when the disk takes no more, the service ends with a code other than 0, so that a supervisor
 * starts it again, and what it acknowledged is there when it does.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Child, startChild } from '../child.ts'
import { asText, Service, within } from '../client.ts'
import { Tally } from '../tally.ts'

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
