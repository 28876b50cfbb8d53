/** A log that is not read. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLog } from '../../../server/log.ts'
import { within } from './wire.ts'

const directory = mkdtempSync(join(tmpdir(), 'log-'))
test.after(() => rmSync(directory, { recursive: true }))

let pipes = 0
/** A pipe with nobody at the other end until somebody reads. */
function openPipe(): {
  readonly fd: number
  read(until: (line: Line) => boolean): Promise<Line[]>
} {
  const path = join(directory, String(pipes++))
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR)
  return {
    fd,
    async read(until) {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      let text = ''
      const lines = () =>
        text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      const piece = Buffer.alloc(65_536)
      while (!lines().some(until)) {
        try {
          text += piece.toString('utf8', 0, readSync(reader, piece))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
      closeSync(reader)
      return lines()
    },
  }
}

interface Line {
  readonly turn?: number
  readonly lines?: number
}

const told = 'x'.repeat(100)
const count = 2_000

test('it holds nobody up, and every line is there in its order once somebody reads', async () => {
  const { fd, read } = openPipe()
  const logger = openLog({ level: 'info', to: fd })
  for (let turn = 0; turn < count; turn++) logger.info({ turn, told })
  const lines = await within(
    read(({ turn }) => turn === count - 1),
    'the last line',
  )
  assert.equal(
    lines.map(({ turn }) => turn),
    Array.from({ length: count }, (_, turn) => turn),
  )
})

test('of more than may wait the newest are dropped, and counted', async () => {
  const { fd, read } = openPipe()
  const logger = openLog({ level: 'info', to: fd, waitingMaxChars: 100_000 })
  for (let turn = 0; turn < count; turn++) logger.info({ turn, told })
  const lines = await within(
    read(({ lines }) => lines !== undefined),
    'what was dropped',
  )
  const dropped = lines.at(-1)?.lines ?? 0
  assert.ok(dropped > 0 && dropped < count)
  assert.is(lines.length - 1 + dropped, count)
})

test.run()
