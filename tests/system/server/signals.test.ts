/**
 * Extensions §1: a signal ends the service however it was started, and what was typed is stored:
 * through npm, as the first process of a container, and while it starts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hostHint } from '../../../server/container.ts'
import { Copy, within } from '../../unit/server/wire.ts'
import { pause } from '../../waiting.ts'
import { createDocument } from './frame-fuzz.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'signals-'))
const children: ChildProcess[] = []
test.after(() => {
  // Whatever a failure left: each is the leader of a group of its own.
  for (const { pid } of children)
    if (pid !== undefined && isThere(-pid)) process.kill(-pid, 'SIGKILL')
  rmSync(directory, { recursive: true })
})

interface Started {
  readonly child: ChildProcess
  /** Of one process alone: the one that was started. */
  readonly pid: number
  readonly lines: Record<string, unknown>[]
  readonly ended: Promise<number | null>
  /** Resolves with the first line of the log that says this. */
  says(message: string): Promise<Record<string, unknown>>
}

function start(command: string, args: readonly string[]): Started {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: '0', DATA_DIR: join(directory, 'data') }
  const child = spawn(command, args, { cwd: root, env, detached: true })
  children.push(child)
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  let raw = ''
  const hear = (data: unknown) => {
    raw += String(data)
    const parts = (rest + String(data)).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) if (line.startsWith('{')) lines.push(JSON.parse(line))
    for (const look of waiting) look()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const says = (message: string) =>
    within(
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const look = () => {
          const line = lines.find(({ msg }) => msg === message)
          if (line !== undefined) resolve(line)
        }
        waiting.add(look)
        void ended.then(() => reject(new Error(`ended before “${message}”: ${raw}`)))
        look()
      }),
      message,
      20_000,
    )
  return { child, pid: child.pid ?? 0, lines, ended, says }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

/** Types, and sends the signal when what was typed has come. */
async function typedThen(port: unknown, signal: () => void) {
  const address = `127.0.0.1:${port}`
  const document = await createDocument(address, 'words\n')
  const copy = await new Copy(address, `/docs/${document.slug}/live`, document).synced()
  copy.type('words', ' typed')
  await copy.handled()
  signal()
  assert.is(await copy.code(), 1001)
  return document
}

async function textAfterRestart({ slug, token }: { slug: string; token: string }) {
  const again = start(process.execPath, ['dist/main.js'])
  const { port } = await again.says('ready')
  const headers = { Authorization: `Bearer ${token}` }
  const read = await fetch(`http://127.0.0.1:${port}/docs/${slug}`, { headers })
  const { markdown } = (await read.json()) as { markdown: string }
  process.kill(again.pid, 'SIGTERM')
  assert.is(await within(again.ended, 'the end', 15_000), 0)
  return markdown
}

test('kill -TERM of npm start ends the service, which flushes what was typed', async () => {
  const npm = start('npm', ['start'])
  const { pid, port } = await npm.says('ready')
  const document = await typedThen(port, () => process.kill(npm.pid, 'SIGTERM'))
  await within(npm.ended, 'the end', 15_000)
  assert.ok(npm.lines.some(({ msg }) => msg === 'stopping'))
  assert.not(isThere(Number(pid)), 'the service has ended')
  assert.is(await textAfterRestart(document), 'words typed\n')
})

test('the first process of a container flushes and ends at SIGTERM', async () => {
  const inside = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc']
  const node = [process.execPath, 'dist/main.js']
  const container = start('unshare', [...inside, '--kill-child', ...node])
  const { pid, port } = await container.says('ready')
  assert.is(pid, 1)
  const document = await typedThen(port, () => signalChildOf(container.pid, 'SIGTERM'))
  assert.is(await within(container.ended, 'the end', 15_000), 0)
  assert.is(await textAfterRestart(document), 'words typed\n')
})

/** The one process that this one has forked, as it is known outside. */
function signalChildOf(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  assert.is(children.length, 1)
  process.kill(Number(children[0]), signal)
}

/** Whether what this one has forked runs Node by now: before, it is no service. */
function isNode(pid: number): boolean {
  const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  try {
    return child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').trim() !== 'unshare'
  } catch (error) {
    // It has ended.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

test('a signal that comes while the service starts ends it as soon as it has', async () => {
  const inside = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child']
  const hold = start('unshare', [...inside, process.execPath, 'dist/main.js'])
  const signal = async () => {
    while (isThere(hold.pid)) {
      if (hold.lines.some(({ msg }) => msg === 'stopping' || msg === 'ready')) return
      if (isNode(hold.pid)) signalChildOf(hold.pid, 'SIGTERM')
      // Node itself does not survive very many of them in its first moments.
      await pause(20)
    }
  }
  const sending = signal()
  assert.is(await within(hold.ended, 'the end', 15_000), 0)
  await sending
  assert.ok(hold.lines.some(({ msg }) => msg === 'stopping'))
})

test('§13 a second process waits for the lock, and goes on when the first has ended', async () => {
  const node = ['dist/main.js']
  const first = start(process.execPath, node)
  const { port } = await first.says('ready')
  const second = start(process.execPath, node)
  await second.says('waiting for another process to release the store')
  const document = await typedThen(port, () => process.kill(first.pid, 'SIGTERM'))
  assert.is(await within(first.ended, 'the end', 15_000), 0)
  const { port: next } = await second.says('ready')
  const headers = { Authorization: `Bearer ${document.token}` }
  const read = await fetch(`http://127.0.0.1:${next}/docs/${document.slug}`, { headers })
  assert.is(((await read.json()) as { markdown: string }).markdown, 'words typed\n')
  process.kill(second.pid, 'SIGTERM')
  assert.is(await within(second.ended, 'the end', 15_000), 0)
})

test('a process that waits for the lock ends at a signal, with 0', async () => {
  const node = ['dist/main.js']
  const first = start(process.execPath, node)
  await first.says('ready')
  const second = start(process.execPath, node)
  await second.says('waiting for another process to release the store')
  process.kill(second.pid, 'SIGTERM')
  assert.is(await within(second.ended, 'the end', 5_000), 0)
  process.kill(first.pid, 'SIGTERM')
  assert.is(await within(first.ended, 'the end', 15_000), 0)
})

test('in a container a HOST that only the container reaches is hinted at', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    assert.match(String(hostHint(host, true)), 'HOST=0.0.0.0')
    assert.is(hostHint(host, false), undefined)
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1']) assert.is(hostHint(host, true), undefined)
})

test.run()
