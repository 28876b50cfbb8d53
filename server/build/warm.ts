/**
 * Runs the bundle that it is given as a service is used in its first minute, twice on one store,
 * and leaves beside it what V8 has compiled of it by then. A process of its own, started by
 * service.ts with the arguments of `npm start`.
 */
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { WebSocket } from 'ws'
import { cacheFile, cacheOf, compiled, run } from '../code-cache.ts'
import type { Service } from '../compose.ts'

/** Something of each kind of block and mark. */
const sample = `## Heading

Words **bold**, *slanted*, \`code\`, ~~struck~~ and [a link](https://example.org/a?b=c), again
and again; “quoted” – and an escape \\* of it.

- one
  - two

    with a second paragraph
- [ ] open
- [x] done

1. first
2. second

> A quote
>
> - with a list

> [!NOTE]
> A callout

\`\`\`js
const value = 1
\`\`\`

| a | b |
| :-- | --: |
| 1 | **2** |

![a picture](https://example.org/a.png)

---

`
const samples = 200
const passes = 3

const [address = ''] = process.argv.slice(2)
const bundle = new URL(address)
const directory = mkdtempSync(join(tmpdir(), 'scriptorium-build-'))
Object.assign(process.env, {
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: directory,
  LOG_LEVEL: 'silent',
})

const script = compiled(bundle)

async function withService(use: (base: string) => Promise<void>): Promise<void> {
  const { service } = run(script, bundle.href) as { readonly service: Promise<Service> }
  const { port, stop } = await service
  await use(`127.0.0.1:${port}`)
  await stop()
}

interface Made {
  readonly path: string
  readonly token: string
}

const made: Made[] = []

try {
  await withService(async (host) => {
    for (let pass = 0; pass < passes; pass++) {
      made.push(await create(host, sample.repeat(pass === 0 ? 1 : samples)))
    }
    for (const each of made) await use(host, each)
  })
  await withService(async (host) => {
    for (const each of made) await use(host, each)
  })
  keep()
} finally {
  rmSync(directory, { recursive: true, force: true })
}
// What a client of it keeps open is nobody's any more.
process.exit(0)

async function ask(host: string, method: string, path: string, token?: string, body?: unknown) {
  const answer = await fetch(`http://${host}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
  return text
}

async function create(host: string, markdown: string): Promise<Made> {
  const { id, access_token: token } = JSON.parse(
    await ask(host, 'POST', '/docs', undefined, { markdown }),
  )
  await ask(host, 'POST', '/agents/identify', token, { display_name: 'Build', slug: id })
  return { path: `/docs/${id}`, token }
}

async function use(host: string, { path, token }: Made): Promise<void> {
  await ask(host, 'GET', `/d/${path.slice('/docs/'.length)}`)
  const { revision } = JSON.parse(await ask(host, 'GET', path, token))
  const word = `word${revision}`
  for (const edit of [
    { before: null, new_string: `\n\n${word}\n` },
    { old_string: word, new_string: `**${word}** and more` },
  ]) {
    await ask(host, 'PATCH', path, token, { base_revision: revision, edits: [edit] })
    await ask(host, 'GET', path, token)
  }
  const socket = new WebSocket(`ws://${host}${path}/live`, ['yjs', `bearer.${token}`])
  await once(socket, 'open')
  // Sync, step 1, of who has nothing.
  socket.send(new Uint8Array([0, 0, 1, 0]))
  await once(socket, 'message')
  socket.close()
  await once(socket, 'close')
}

/** V8 compares its flags: those that the service sets while it runs are as at its start. */
function keep(): void {
  for (const flag of ['--no-expose-gc', '--heap-growing-percent=0', '--flush-bytecode']) {
    setFlagsFromString(flag)
  }
  const path = fileURLToPath(cacheFile(bundle))
  // Whole or not at all.
  writeFileSync(`${path}.new`, cacheOf(script, bundle))
  renameSync(`${path}.new`, path)
}
