/**
 * Extensions §2: a sign-in that is refused does the same work whyever it is: one hash of the same
 * cost and as many looks at the store. Time follows from that; it is measured in
 * tests/system/server/sign-in-timing.ts.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ScryptJob } from '../../../../core/accounts/passwords.ts'
import { openPeople } from '../../../../core/people.ts'
import { openMemoryStore } from '../../../../persistence/index.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { SimulatedRuntime } from '../../../simulated-runtime.ts'

const runtime = new SimulatedRuntime({ seed: 7 })
const inner = await openMemoryStore({ runtime })
const looks: string[] = []
const jobs: ScryptJob[] = []
const store = {
  ...inner,
  get(key: string) {
    looks.push(key.split('/')[0] ?? '')
    return inner.get(key)
  },
  scan: inner.scan.bind(inner),
  commit: inner.commit.bind(inner),
  watch: inner.watch.bind(inner),
  close: inner.close.bind(inner),
}
const people = openPeople({
  store,
  runtime,
  secretKey: Buffer.alloc(32, 1),
  scrypt: async (job) => {
    jobs.push(job)
    return new Uint8Array(32).fill(job.password.length)
  },
})
test.after(async () => {
  await people.close()
  await inner.close()
})

const password = 'correct horse'
const address = 'here'
const made = { name: 'N', password, from: undefined, address }
for (const handle of ['open', 'disabled', 'ended']) {
  const { account, session } = await people.accounts.signUp({ ...made, handle })
  assert.ok(session)
  if (handle !== 'ended') continue
  const browser = await people.access.browser({ session, link: undefined, slug: undefined })
  if (browser?.session === undefined) throw new Error(account.handle)
  await people.accounts.end(browser.session, { password, address })
}
await people.accounts.setDisabled('disabled', true)
const guest = (await people.accounts.createGuest('Guest')).account.handle

test('every refusal is one answer, one hash of one cost, and the same looks at the store', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['open', 'a wrong one'],
    ['disabled', password],
    ['ended', password],
    [guest, password],
    ['nobody-here', password],
    ['nobody', password],
    ['No Handle At All!', password],
    ['', password],
  ]
  const seen = new Set<string>()
  for (const [handle, given] of cases) {
    looks.length = 0
    jobs.length = 0
    const refused = people.accounts.signIn({ handle, password: given, from: undefined, address })
    const error: unknown = await refused.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.instance(error, Refusal, handle)
    const { code, details } = error as Refusal
    const costs = jobs.map(({ N, r, p, salt }) => [N, r, p, salt.length])
    seen.add(JSON.stringify([code, details, [...looks].sort(), costs]))
  }
  assert.is(seen.size, 1, [...seen].join('\n'))
  assert.match([...seen].join(), /^\["LOGIN_FAILED",\{\},\["account","handle","password"\],\[\[/)
})

test.run()
