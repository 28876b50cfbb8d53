/** Who waits for a password to be hashed, and who is turned away (extensions §3). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  openPasswords,
  passwordsWaitingMax,
  requirePassword,
  type ScryptJob,
} from '../../../../core/accounts/passwords.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { SimulatedRuntime, settled } from '../../../simulated-runtime.ts'

/** A thread that is busy until it is told to go on. */
function slowThread() {
  const jobs: { readonly job: ScryptJob; readonly done: (hash: Uint8Array) => void }[] = []
  let most = 0
  const scrypt = (job: ScryptJob) =>
    new Promise<Uint8Array>((done) => {
      jobs.push({ job, done })
      most = Math.max(most, jobs.length)
    })
  return {
    scrypt,
    /** The most that it was given at once. */
    most: () => most,
    next() {
      const first = jobs.shift()
      first?.done(new Uint8Array(32))
      return first?.job.password
    },
  }
}

const told = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      assert.ok(Number(error.details['retry_after']) >= 1)
      return error.code
    },
  )

const runtime = new SimulatedRuntime({ seed: 1 })

test('one at a time; one is hashed, 64 wait, and the next is BUSY', async () => {
  const thread = slowThread()
  const passwords = openPasswords({ runtime, scrypt: thread.scrypt })
  const waiting = Array.from({ length: passwordsWaitingMax + 1 }, (_, n) =>
    told(passwords.hash(`password ${n}`, 'here')),
  )
  assert.is(await told(passwords.hash('one more', 'here')), 'BUSY')
  for (let n = 0; n < waiting.length; n++) {
    assert.is(thread.next(), `password ${n}`)
    await settled()
  }
  assert.is(thread.most(), 1)
  assert.equal(new Set(await Promise.all(waiting)), new Set(['done']))
})

test('when it is full, who comes from elsewhere gets a place and the next turn but one', async () => {
  const thread = slowThread()
  const passwords = openPasswords({ runtime, scrypt: thread.scrypt })
  const crowd = Array.from({ length: passwordsWaitingMax + 1 }, (_, n) =>
    told(passwords.hash(`crowd ${n}`, 'crowded')),
  )
  const one = told(passwords.matches('somebody’s', async () => undefined, 'elsewhere'))
  assert.is(await crowd.at(-1), 'BUSY')
  const order: (string | undefined)[] = []
  for (let n = 0; n < 3; n++) {
    order.push(thread.next())
    await settled()
  }
  assert.ok(order.includes('somebody’s'), order.join())
  assert.is(await one, 'done')
})

test('as many addresses as there are places: the newcomer is turned away, nobody else', async () => {
  const thread = slowThread()
  const passwords = openPasswords({ runtime, scrypt: thread.scrypt })
  const first = Array.from({ length: passwordsWaitingMax + 1 }, (_, n) =>
    told(passwords.hash('x', `address ${n}`)),
  )
  assert.is(await told(passwords.hash('x', 'another')), 'BUSY')
  for (const _ of first) {
    thread.next()
    await settled()
  }
  assert.equal(new Set(await Promise.all(first)), new Set(['done']))
})

test('a thread that breaks fails the one it hashed for, and goes on with the next', async () => {
  let isBroken = true
  const passwords = openPasswords({
    runtime,
    async scrypt() {
      if (isBroken) throw new Error('broken')
      return new Uint8Array(32)
    },
  })
  const broken = passwords.hash('x', 'here').then(
    () => 'done',
    () => 'failed',
  )
  assert.is(await broken, 'failed')
  isBroken = false
  assert.is(await told(passwords.hash('x', 'here')), 'done')
})

test('the same letters are the same password however they are composed; length is in letters', async () => {
  const passwords = openPasswords({
    runtime,
    scrypt: async ({ password }) => new Uint8Array(32).fill(password.length),
  })
  const record = await passwords.hash('caf\u00e9 caf\u00e9', 'here')
  const isGood = async (password: string) => {
    const found = { password: { record } }
    return (await passwords.matches(password, async () => found, 'here')).isGood
  }
  assert.is(await isGood('cafe\u0301 cafe\u0301'), true)
  assert.is(await isGood('cafe cafe!!'), false)
  assert.not.throws(() => requirePassword('🙂'.repeat(200)))
  assert.throws(() => requirePassword('🙂'.repeat(201)))
  assert.throws(() => requirePassword('🙂'.repeat(7)))
})

test.run()
