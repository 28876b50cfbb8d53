/** Whether what was built is what its sources say: whatever changes in them is noticed. */
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isCurrent, putStamp, sourcesHash } from '../../../../server/build/built.js'

const test = suite<{ directory: string; built: Built; file: string }>('built')
type Built = Parameters<typeof isCurrent>[0]

test.before.each((context) => {
  const directory = mkdtempSync(join(tmpdir(), 'built-'))
  mkdirSync(join(directory, 'sources/deeper'), { recursive: true })
  const file = join(directory, 'sources/deeper/one.ts')
  writeFileSync(file, 'first')
  const built = { folders: [join(directory, 'sources')], stamp: join(directory, 'out/.sources') }
  Object.assign(context, { directory, built, file })
})
test.after.each(({ directory }) => rmSync(directory, { recursive: true }))

const stamped = (built: Built) => putStamp(built, sourcesHash(built))

test('what was never built is not current', ({ built }) => {
  assert.is(isCurrent(built), false)
})

test('what was built of these sources is current', ({ built }) => {
  stamped(built)
  assert.is(isCurrent(built), true)
})

const changes: Readonly<Record<string, (file: string) => void>> = {
  'of the text, with the time of the one before': (file) => {
    const { atime, mtime } = statSync(file)
    writeFileSync(file, 'other')
    utimesSync(file, atime, mtime)
  },
  'by a file that comes': (file) => writeFileSync(`${file}.too`, ''),
  'by a file that goes': (file) => rmSync(file),
  'of a name': (file) => renameSync(file, `${file}.else`),
}
for (const [what, change] of Object.entries(changes)) {
  test(`a change ${what} is seen`, ({ built, file }) => {
    stamped(built)
    change(file)
    assert.is(isCurrent(built), false)
  })
}

test('a file that was touched, or written as it was, is no change', ({ built, file }) => {
  stamped(built)
  writeFileSync(file, 'first')
  assert.is(isCurrent(built), true)
})

test.run()
