/**
 * Thirty creates at once of about as many blocks as may be, with the default quotas, against a
 * service in a process of its own as `npm start` runs it: it lives, others are answered meanwhile,
 * and its memory stays bounded and is given back.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../../schema/limits.ts'
import { type Child, startChild } from '../../child.ts'

interface Answer {
  readonly status: number
  readonly code: unknown
  readonly retryAfter: number
  readonly ms: number
}

/** How much slower everything was than on a machine of its own: the service is never idle here. */
function slowness(child: Child, since: { readonly cpuMs: number; readonly at: number }): number {
  return Math.max(1, (performance.now() - since.at) / (cpuMsOf(child) - since.cpuMs))
}

/** Of all threads, in steps of 10 ms. */
function cpuMsOf({ pid }: Child): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** What is not documents: the program, V8's young generation and what it has not collected yet. */
const besideDocumentsBytes = 900 * 1024 * 1024

const answeredWithinMs = 30_000

async function ready(child: Child): Promise<number> {
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const port = /"port":(\d+)/.exec(output)?.[1]
    if (port !== undefined) {
      child.stdout.resume()
      return Number(port)
    }
  }
  throw new Error(`the service did not start: ${output}`)
}

function call(port: number, from: string, markdown?: string): Promise<Answer> {
  const began = performance.now()
  const body = markdown === undefined ? undefined : JSON.stringify({ markdown })
  const headers = { 'content-type': 'application/json' }
  const [method, path] = body === undefined ? ['GET', '/healthz'] : ['POST', '/docs']
  const options = { port, host: '127.0.0.1', localAddress: from, method, path, headers }
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += text.length < 1_000_000 ? chunk : ''
      })
      response.on('error', reject)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const code = /"code":"([A-Z_]+)"/.exec(status < 400 ? '' : text)?.[1]
        const retryAfter = Number(response.headers['retry-after'] ?? 0)
        resolve({ status, code, retryAfter, ms: performance.now() - began })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function residentBytes({ pid }: Child, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024
}

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('thirty costly creates: the process lives, others are answered, memory is given back', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'creates-'))
  const child = startChild({
    file: 'dist/main.js',
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: directory,
      LOG_LEVEL: 'info',
    },
  })
  let ended = false
  child.on('exit', () => {
    ended = true
  })
  try {
    const port = await ready(child)
    // A process that has worked, not one that has just begun.
    for (let count = 0; count < 60; count++) {
      await call(
        port,
        `127.0.0.${3 + (count % 3)}`,
        `# Warm\n\n${'some *words* of it\n\n'.repeat(400)}`,
      )
    }
    await soon(20_000)
    const before = residentBytes(child, 'VmRSS')
    const since = { cpuMs: cpuMsOf(child), at: performance.now() }
    const costly = 'a\n\n'.repeat(limits.blocksMax - 1_000)
    const health: number[] = []
    const small: Answer[] = []
    let isDone = false
    const others = (async () => {
      while (!isDone) {
        health.push((await call(port, '127.0.0.2')).ms)
        small.push(await call(port, '127.0.0.2', '# Small\n\nwords\n'))
        await soon(600)
      }
    })()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => call(port, '127.0.0.1', costly)),
    )
    isDone = true
    await others
    assert.not(ended, 'the process lives')
    const slow = slowness(child, since)
    const statuses = [...new Set(answers.map(({ status }) => status))]
    const most = (all: readonly number[]) => Math.round(Math.max(...all))
    const peak = residentBytes(child, 'VmHWM')
    console.log(
      `slower by ${slow.toFixed(1)}; answers ${statuses.map((s) => `${s}: ${answers.filter(({ status }) => status === s).length}`)}, slowest ${most(answers.map(({ ms }) => ms))} ms; ` +
        `healthz at most ${most(health)} ms, small creates ${most(small.map(({ ms }) => ms))} ms of ${small.length}; ` +
        `resident ${before >> 20} MB, at most ${peak >> 20} MB`,
    )
    for (const { status, code, retryAfter, ms } of answers) {
      assert.ok([201, 413, 429].includes(status), `${status} ${code}`)
      if (status === 429) assert.is(code, 'BUSY')
      if (status === 429) assert.ok(retryAfter >= 1)
      assert.ok(ms < answeredWithinMs * slow, `answered after ${ms} ms`)
    }
    for (const { status } of small) assert.is(status, 201)
    assert.ok(most(small.map(({ ms }) => ms)) < 1_500 * slow)
    assert.ok(most(health) < 1_000 * slow)
    assert.ok(peak < limits.memoryMaxBytes + besideDocumentsBytes)
    await soon(60_000)
    const after = residentBytes(child, 'VmRSS')
    console.log(`a minute later ${after >> 20} MB`)
    assert.ok(after < before * 1.2)
  } finally {
    child.kill('SIGTERM')
    while (!ended) await soon(50)
    await rm(directory, { recursive: true, force: true })
  }
})

test.run()
