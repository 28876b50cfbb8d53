/**
 * What a session that moves leaves in the host it was in, and how much of it is read: the host that
 * it left tells it nothing more, and the one that it comes to says whether its socket is read on.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Change, LivePeer } from '../../../../../core/documents/contract.ts'
import { FollowHandle } from '../../../../../core/documents/front/follow-handle.ts'
import { LiveHandle } from '../../../../../core/documents/front/live-handle.ts'
import { HostClient, hostUnreadMaxBytes } from '../../../../../core/documents/host/host-client.ts'
import type { FromHost, SessionEvent, ToHost } from '../../../../../core/documents/host/messages.ts'
import { openMemoryStore } from '../../../../../persistence/memory-store.ts'
import type { ActorId, Slug } from '../../../../../schema/ids.ts'
import { editing, silentFollower, silentPeer } from '../../../../silent-peers.ts'
import { SimulatedRuntime, settled } from '../../../../simulated-runtime.ts'
import { sources } from '../../../../sources.ts'

const runtime = new SimulatedRuntime()
const slug = 'document' as Slug
const large = new Uint8Array(hostUnreadMaxBytes)
/** So many of these on their way to one host are all that it may have. */
const largeMax = 32

/** The front's side of a host whose answers a test gives. */
class Host {
  readonly posted: ToHost[] = []
  readonly client: HostClient

  static async open(): Promise<Host> {
    return new Host(await openMemoryStore({ runtime }))
  }

  private constructor(store: Awaited<ReturnType<typeof openMemoryStore>>) {
    this.client = new HostClient({
      name: 'small-0',
      store,
      runtime,
      post: (messages) => void this.posted.push(...messages),
      onTrouble: () => assert.unreachable('there is no trouble'),
      onGone: () => undefined,
      onGrown: () => undefined,
    })
  }

  /** Of who connected or followed last. */
  get session(): number {
    const asked = this.posted.findLast(({ kind }) => kind === 'connect' || kind === 'follow')
    return (asked as { readonly session: number }).session
  }

  says(...messages: readonly FromHost[]): void {
    this.client.receive(messages)
  }

  /** Answers what was asked last. */
  async answers(answer: unknown): Promise<void> {
    await settled()
    const asked = this.posted.findLast(({ kind }) => kind === 'connect' || kind === 'follow')
    this.says({ kind: 'answer', id: (asked as { readonly id: number }).id, answer })
    await settled()
  }

  takes(session: number, bytes: number): void {
    this.says({ kind: 'taken', of: [[session, bytes]] })
  }
}

const connected = {
  stateVector: Uint8Array.of(0),
  current: { revision: 1, readOnly: false, commentsDisabled: false },
}

/** A session, and whether its socket is read. */
class Editor {
  readonly handle: LiveHandle
  isReading = true
  /** How many of its updates it was told are saved, each time. */
  readonly saved: number[] = []
  #host: Host

  constructor(host: Host) {
    this.#host = host
    const onReading = (isReading: boolean) => {
      this.isReading = isReading
    }
    const onSaved = ({ updates }: { readonly updates: number }) => void this.saved.push(updates)
    const peer: LivePeer = { ...silentPeer, onReading, onSaved }
    this.handle = new LiveHandle({
      slug,
      request: editing({ actor: 'human:ada' as ActorId, authMethod: 'token' }),
      peer,
      reach: async () => this.#host.client,
      onEnd: () => undefined,
      onTrouble: () => assert.unreachable('there is no trouble'),
      onUpdate: () => undefined,
    })
  }

  async begin(): Promise<this> {
    const begun = this.handle.begin()
    await this.#host.answers(connected)
    await begun
    return this
  }

  /** Resolves before the other host has answered. */
  async moveTo(host: Host): Promise<void> {
    this.#host = host
    this.handle.moved()
    await settled()
  }

  send(times = 1): void {
    for (let sent = 0; sent < times; sent++) this.handle.receive(large, false)
  }
}

test('a socket whose updates waited for the move is read on once the new host has taken them', async () => {
  const [from, to] = [await Host.open(), await Host.open()]
  const editor = await new Editor(from).begin()
  await editor.moveTo(to)
  assert.not(editor.isReading)
  editor.send()
  await to.answers(connected)
  assert.is(to.posted.filter(({ kind }) => kind === 'receive').length, 1)
  assert.not(editor.isReading, 'what waited is as much as may be on the way')
  to.takes(to.session, large.length)
  assert.ok(editor.isReading)
})

test('a host that much is on the way to stops nobody who has left it', async () => {
  const [from, to] = [await Host.open(), await Host.open()]
  const editor = await new Editor(from).begin()
  const { session } = from
  const other = await new Editor(from).begin()
  editor.send()
  assert.not(editor.isReading)
  await editor.moveTo(to)
  await to.answers(connected)
  assert.ok(editor.isReading)
  assert.ok(from.posted.some((each) => each.kind === 'leave' && each.session === session))
  other.send(largeMax)
  assert.ok(editor.isReading)
  from.says({ kind: 'event', sessions: [session], event: { name: 'onReading', data: [false] } })
  assert.ok(editor.isReading, 'the host that it left tells it nothing')
})

test('what was on the way from a session that left is taken off the count of its host', async () => {
  const [from, to] = [await Host.open(), await Host.open()]
  const editor = await new Editor(from).begin()
  const { session } = from
  const other = await new Editor(from).begin()
  editor.send(largeMax)
  other.handle.receive(Uint8Array.of(0), false)
  assert.not(other.isReading)
  await editor.moveTo(to)
  from.takes(session, largeMax * large.length)
  assert.ok(other.isReading)
})

test('a session that moves again while it begins leaves the host that it did not stay in', async () => {
  const [from, between, to] = [await Host.open(), await Host.open(), await Host.open()]
  const editor = await new Editor(from).begin()
  await editor.moveTo(between)
  await editor.moveTo(to)
  await between.answers(connected)
  await to.answers(connected)
  const left = between.posted.filter(({ kind }) => kind === 'leave')
  assert.equal(left, [{ kind: 'leave', session: between.session }])
  assert.not(to.posted.some(({ kind }) => kind === 'leave'))
})

test('a session that moves as soon as it has begun begins again', async () => {
  for (let microtasks = 0; microtasks < 20; microtasks++) {
    const [from, between, to] = [await Host.open(), await Host.open(), await Host.open()]
    const editor = await new Editor(from).begin()
    await editor.moveTo(between)
    const { id } = between.posted.find(({ kind }) => kind === 'connect') as { readonly id: number }
    between.says({ kind: 'answer', id, answer: connected })
    for (let left = microtasks; left > 0; left--) await Promise.resolve()
    await editor.moveTo(to)
    await to.answers(connected)
    editor.handle.receive(Uint8Array.of(0), false)
    await settled()
    const received = to.posted.filter(({ kind }) => kind === 'receive').length
    assert.is(received, 1, `after ${microtasks} microtasks`)
    assert.ok(editor.isReading)
  }
})

test('what is saved counts once the editor has answered what the present host asked', async () => {
  const [from, between, to] = [await Host.open(), await Host.open(), await Host.open()]
  const editor = await new Editor(from).begin()
  const isSaved = (host: Host, updates: number) => {
    const event: SessionEvent = { name: 'onSaved', data: [{ revision: 2, updates }] }
    host.says({ kind: 'event', sessions: [host.session], event })
  }
  const send = (answersStep1: boolean) => editor.handle.receive(Uint8Array.of(0), answersStep1)
  send(true)
  send(false)
  await editor.moveTo(between)
  await between.answers(connected)
  await editor.moveTo(to)
  await to.answers(connected)
  send(true)
  isSaved(to, 1)
  assert.equal(editor.saved, [], 'it answers what the host asked that is gone')
  send(true)
  isSaved(to, 2)
  assert.equal(editor.saved, [4])
})

test('a follower that moves is told of a change by one host', async () => {
  const [from, to] = [await Host.open(), await Host.open()]
  let host = from
  const revisions: number[] = []
  const handle = new FollowHandle({
    follower: { ...silentFollower, onChange: ({ revision }) => void revisions.push(revision) },
    follow: (follower) => host.client.follow(slug, follower, sources),
    onEnd: () => undefined,
    onTrouble: () => assert.unreachable('there is no trouble'),
  })
  const begun = handle.begin()
  await from.answers(1)
  await begun
  host = to
  handle.moved()
  await to.answers(1)
  const change: Change = { revision: 2, event: 'edit', actors: [] }
  for (const each of [from, to]) {
    const event: SessionEvent = { name: 'onChange', data: [change] }
    each.says({ kind: 'event', sessions: [each.session], event })
  }
  assert.equal(revisions, [2])
  assert.is(from.posted.at(-1)?.kind, 'leave')
})

test.run()
