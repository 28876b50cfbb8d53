/**
 * What is uploaded through a backup, a restore and a scrub, by the commands that an operator has
 * (extensions §1, §11), and what was reported as `npm run feedback` tells it.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Chance } from '../chance.ts'
import { asText, Service } from '../client.ts'
import { largePng } from '../pictures.ts'
import { registerAgent } from './matrix/scenes.ts'

const service = new Service()
test.after(() => service.remove())

/** One of the commands; what it printed, and its code. */
async function run(name: string, ...args: readonly string[]) {
  const child = service.spawn(`dist/${name}.js`, args, service.environment)
  let output = ''
  child.stdout?.on('data', (data) => (output += data))
  child.stderr?.on('data', (data) => (output += data))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

const blobsIn = async (directory: string): Promise<string[]> => {
  const found = await readdir(directory, { recursive: true })
  return found.filter((name) => /[0-9a-f]{64}$/.test(name)).map((name) => join(directory, name))
}

test('backup, restore and scrub know uploads; feedback is listed and exported', async () => {
  const chance = new Chance(1)
  await service.start()
  const { secret: token } = await registerAgent(service, 'Uploader')
  const made = await service.ask('POST', '/docs', { token, body: { markdown: '# Pictures' } })
  const at = `/docs/${asText(made.body['id'])}`
  const send = async (path: string, type: string, raw: string | Uint8Array) => {
    const answer = await service.ask('POST', `${at}${path}`, {
      ...{ token, raw, headers: { 'content-type': type } },
    })
    assert.is(answer.status, 201, answer.text)
    return asText(answer.body['url'])
  }
  const images = [largePng(100_000, chance), largePng(200_000, chance), largePng(300, chance)]
  const urls: string[] = []
  for (const image of images) urls.push(await send('/images', 'image/png', image))
  const artifact = await send('/artifacts', 'text/html', '<title>Chart</title><p>alpha')
  const shown = await send('/feedback/images', 'image/png', largePng(400, chance))
  const report = { message: 'It lost a word.', kind: 'bug', image_urls: [shown] }
  assert.is((await service.post(`${at}/feedback?ref=req_1`, report, { token })).status, 201)

  const listed = await run('feedback')
  assert.match(
    listed.output,
    /fb_[0-9a-z]{20} \(bug, req_1, document .*1 images\): "It lost a word."/,
  )
  const target = join(service.directory, 'reports')
  assert.is((await run('feedback', target)).code, 0)
  assert.is((await readdir(target)).length, 2)

  const copy = join(service.directory, 'copy')
  const backup = await run('backup', copy)
  assert.equal([backup.code, /5 blobs, verified/.test(backup.output)], [0, true], backup.output)
  const restored = new Service({ DATA_DIR: copy })
  await restored.start()
  for (const [index, url] of urls.entries()) {
    const got = await fetch(`${restored.base}${url}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.ok(Buffer.from(await got.arrayBuffer()).equals(images[index] ?? Buffer.alloc(0)), url)
  }
  assert.match(await (await fetch(`${restored.base}${artifact}`)).text(), /<p>alpha<\/p>/)
  await restored.remove()

  assert.is((await service.end('SIGTERM')).code, 0)
  const clean = await run('scrub')
  assert.equal([clean.code, /0 problems/.test(clean.output)], [0, true], clean.output)
  assert.match((await run('feedback')).output, /It lost a word/, 'from the files too')
  const [first = '', second = ''] = await blobsIn(join(service.environment.DATA_DIR, 'blobs'))
  const bytes = await readFile(first)
  bytes.writeUInt8((bytes[0] ?? 0) ^ 1, 0)
  await writeFile(first, bytes)
  await rm(second)
  const broken = await run('scrub')
  assert.is(broken.code, 1)
  for (const path of [first, second]) {
    const id = path.slice(-64)
    const named = new RegExp(`blob ${id} \\(\\w+ of document [0-9a-z]{20}\\): `)
    assert.match(broken.output, named)
  }
  const failed = await run('backup', join(service.directory, 'again'))
  assert.is(failed.code, 1)
})

test.run()
