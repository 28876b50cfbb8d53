/** The threads of passwords and artifacts give way to the others of the process. */
import { spawnSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const from = (name: string) =>
  JSON.stringify(new URL(`../../../server/${name}.ts`, import.meta.url).href)
const script = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { openArtifactThread } from ${from('artifact-thread')}
  import { systemRuntime } from ${from('runtime')}
  import { openScryptThread } from ${from('scrypt-thread')}
  const passwords = openScryptThread()
  await passwords.scrypt({ password: 'x', salt: new Uint8Array(16), N: 2, r: 1, p: 1 })
  const artifacts = openArtifactThread(systemRuntime)
  await artifacts.normalize('<p>x</p>', { address: 'x', link: '' })
  const stat = (id) => readFileSync('/proc/self/task/' + id + '/stat', 'utf8')
  const nice = (id) => Number(stat(id).split(') ')[1].split(' ')[16])
  const all = readdirSync('/proc/self/task').map(nice)
  process.stdout.write(JSON.stringify({ own: nice(process.pid), all }))
  await passwords.close()
  await artifacts.close()
`

test('they are below them, also where the service was started below others', () => {
  if (process.platform !== 'linux') return
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync('nice', ['-n', '2', ...node], { encoding: 'utf8' })
  assert.is(stderr, '')
  const { own, all } = JSON.parse(stdout) as { own: number; all: number[] }
  assert.is(own, Math.min(19, getPriority() + 2))
  assert.equal(
    all.filter((nice) => nice !== own),
    [own + 5, own + 5].map((nice) => Math.min(19, nice)),
    'and no other thread is',
  )
})

test.run()
