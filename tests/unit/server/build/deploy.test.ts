/** The examples in deploy/ start the service as `npm start` does, and know no setting that it has not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../../server/build/built.js'
import { readConfig } from '../../../../server/config.ts'

const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const [, started] = JSON.parse(read('package.json')).scripts.start.split('exec ')

test('the container’s first process is what npm start runs', () => {
  const text = read('deploy/Dockerfile')
  const [, last = ''] = /^CMD (\[.*\])$/m.exec(text) ?? []
  assert.is(JSON.parse(last).join(' '), started)
  assert.match(text, /^USER node$/m)
  assert.match(text, /^VOLUME \/data$/m)
  assert.match(text, /^HEALTHCHECK /m)
})

test('the unit starts what npm start runs', () => {
  const [, line = ''] = /^ExecStart=(.*)$/m.exec(read('deploy/scriptorium.service')) ?? []
  assert.is(line, `/usr/bin/${started}`)
})

test('what the examples set is a setting, and takes the value', () => {
  const settings = [...read('docs/operating.md').matchAll(/^\| (`[^|]+) \|/gm)]
    .flatMap(([, names = '']) => names.split(', '))
    .map((name) => name.replaceAll('`', ''))
  const known = new Set([
    ...settings,
    ...['NODE_ENV', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'],
  ])
  const given = [
    ...read('deploy/Dockerfile').matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g),
    ...read('deploy/compose.yaml').matchAll(/^ {6}([A-Z_]+): (\S+)/gm),
    ...read('deploy/scriptorium.service').matchAll(/^Environment=([A-Z_]+)=(\S+)/gm),
  ]
  assert.ok(given.length > 10)
  const environment: Record<string, string> = {}
  for (const [, name = '', value = ''] of given) {
    assert.ok(known.has(name), name)
    if (!value.startsWith('$')) environment[name] = value
  }
  const { host, dataDirectory, trustProxy } = readConfig(environment)
  assert.equal([host, dataDirectory, trustProxy], ['0.0.0.0', '/var/lib/scriptorium', 1])
})

test('the proxies of the examples pass websockets, the host and where a request came from', () => {
  const nginx = read('deploy/nginx.conf')
  for (const header of ['Host', 'Upgrade', 'Connection', 'X-Forwarded-For', 'X-Forwarded-Proto']) {
    assert.match(nginx, new RegExp(`proxy_set_header ${header} `))
  }
  assert.match(read('deploy/Caddyfile'), /^\treverse_proxy 127\.0\.0\.1:4000$/m)
})

test.run()
