/** Commits numbered records for ever and prints the number of each one that was acknowledged. */
import { openLevelStore } from '../../../persistence/level-store.ts'
import { runtime, text } from '../../unit/persistence/fixtures.ts'

const [directory = '', first = '0', writers = '1'] = process.argv.slice(2)
const store = await openLevelStore({ directory, runtime })
let next = Number(first)

async function write(): Promise<never> {
  for (;;) {
    const number = next++
    const value = text(`${number} `.repeat(1 + (number % 2000)))
    const key = `record/${String(number).padStart(9, '0')}`
    const result = await store.commit({
      checks: [{ key, version: undefined }],
      puts: [{ key, value }],
    })
    if (!result.ok) throw new Error(`record ${number} was there already`)
    process.stdout.write(`${number}\n`)
  }
}

await Promise.all(Array.from({ length: Number(writers) }, write))
