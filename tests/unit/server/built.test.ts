/** Whether what was built is what its sources say: whatever changes in them is noticed. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
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
import { isCurrent, putStamp, sourcesHash } from '../../../server/build/built.js'

const test = suite<{ directory: string; built: Built; file: string }>('built')
type Built = Parameters<typeof isCurrent>[0]

/** Long ago for who asks whether a file is settled. */
const before = new Date('2020-01-01T00:00:00Z')

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

test('what was built of these sources is, and however often one looks', ({ built }) => {
  stamped(built)
  for (let look = 0; look < 3; look++) assert.is(isCurrent(built), true)
})

test('a change right after a look is seen', ({ built, file }) => {
  for (let turn = 0; turn < 50; turn++) {
    writeFileSync(file, 'first')
    stamped(built)
    assert.is(isCurrent(built), true)
    writeFileSync(file, 'other')
    assert.is(isCurrent(built), false, `turn ${turn}`)
  }
})

/** As if the sources had been there for long: the next look rests on how they look. */
function settle(built: Built): void {
  stamped(built)
  const now = Date.now
  Date.now = () => now() + 3_600_000
  try {
    assert.is(isCurrent(built), true)
  } finally {
    Date.now = now
  }
  assert.is(readFileSync(`${built.stamp}-looked`, 'utf8').length, 64)
}

const changes: Readonly<Record<string, (file: string) => void>> = {
  'of a text as long, with the time of the one before': (file) => {
    const { atime, mtime } = statSync(file)
    writeFileSync(file, 'other')
    utimesSync(file, atime, mtime)
  },
  'to an older time': (file) => {
    writeFileSync(file, 'older')
    utimesSync(file, before, before)
  },
  'by another file in its place': (file) => {
    writeFileSync(`${file}.new`, 'other')
    utimesSync(`${file}.new`, before, before)
    renameSync(`${file}.new`, file)
  },
  'by a file that comes': (file) => writeFileSync(`${file}.too`, ''),
  'by a file that goes': (file) => rmSync(file),
  'of a name': (file) => renameSync(file, `${file}.else`),
}
for (const [what, change] of Object.entries(changes)) {
  test(`a change ${what} is seen`, ({ built, file }) => {
    settle(built)
    change(file)
    assert.is(isCurrent(built), false)
  })
}

test('a file that was touched, or written as it was, is no change', ({ built, file }) => {
  settle(built)
  writeFileSync(file, 'first')
  utimesSync(file, before, before)
  assert.is(isCurrent(built), true)
})

test('a build of other sources is not current, however well these are known', ({ built }) => {
  settle(built)
  putStamp(built, 'of others')
  assert.is(isCurrent(built), false)
})

test('what something else made is not current', ({ built }) => {
  stamped(built)
  assert.is(isCurrent({ ...built, by: ['another V8'] }), false)
})

test.run()
