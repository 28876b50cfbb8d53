/** Every example runs against a real service, prints what it promises, and stays short. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, startService } from '../../server/compose.ts'
import { readConfig } from '../../server/config.ts'
import { systemRuntime } from '../../server/runtime.ts'

const folder = fileURLToPath(new URL('../../examples/', import.meta.url))

/** What each example must print, in this order. */
const promises: Readonly<Record<string, readonly RegExp[]>> = {
  'create-share-edit.ts': [
    /created "Release notes", revision 1/,
    /as editor/,
    /revision 2:/,
    /twelve times faster/,
    /Unnamed agent: "# Release notes/,
    /Quill: "twelve times/,
  ],
  'agent-beside-editor.ts': [
    /the editor sees: +We ship on Tuesday, after the tests\. Good day\./,
    /the agent reads: +We ship on Tuesday, after the tests\. Good day\./,
    /Quill +wrote "# Plan\\n\\nWe ship on Tuesday, after the tests\."/,
    /Ann +wrote " Good day\./,
  ],
  'review-document.ts': [
    /answered on "October": The ninth\.\n/,
    /answered on "Write the notes": I like it as it is\.\n/,
    /accepted: It will be great\.\n/,
    /4 of 5 threads are open/,
  ],
  'answer-mentions.ts': [
    /heard of doc\.shared by Writer\n/,
    /heard of mention by Writer\n/,
    /# Menu\n\nSoup of the day: tomato and basil\n/,
  ],
  'webhook-agent.ts': [/sent mention by Writer\n/, /# Menu\n\nSoup: tomato and basil\n/],
  'watch-changes.ts': [
    /ready at revision 1/,
    /doc_changed at revision 2\n +now: First entry\./,
    /doc_changed at revision 3\n +now: The first entry\./,
  ],
  'offline-merge.ts': [
    /offline: +Trip \| Pack a tent and a stove\. \| Buy food\./,
    /meanwhile: +# Trip \| Please pack a tent\. \| Buy food for three days\./,
    /together: +# Trip \| Please pack a tent and a stove\. \| Buy food for three days\./,
  ],
}

const examples = suite<{ service: Service; directory: string }>('examples')

examples.before(async (context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'scriptorium-examples-'))
  const config = readConfig({
    PORT: '0',
    DATA_DIR: context.directory,
    OUTBOUND_ALLOW: '127.0.0.0/8',
  })
  const logger = pino({ level: 'silent' })
  context.service = await startService({ config, runtime: systemRuntime, logger })
})

examples.after(async ({ service, directory }) => {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
})

function run(name: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(folder, name)], {
      env: { ...process.env, SCRIPTORIUM_URL: `http://127.0.0.1:${port}` },
      timeout: 20_000,
    })
    let output = ''
    child.stdout.on('data', (data) => (output += data))
    child.stderr.on('data', (data) => (output += data))
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${name} ended with ${code}:\n${output}`)),
    )
  })
}

examples('each is under 80 lines and tested here', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  assert.equal(names.sort(), Object.keys(promises).sort())
  for (const name of names) {
    assert.ok(readFileSync(join(folder, name), 'utf8').split('\n').length <= 80, name)
  }
})

for (const [name, expected] of Object.entries(promises)) {
  examples(`${name} prints what it promises`, async ({ service }) => {
    const output = await run(name, service.port)
    let from = 0
    for (const pattern of expected) {
      const match = pattern.exec(output.slice(from))
      assert.ok(match, `${pattern} not in ${output.slice(from)}`)
      from += match.index + match[0].length
    }
  })
}

examples.run()
