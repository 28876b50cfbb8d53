/**
 * What is left of a log that is damaged: every logical record but those that the damage hit and
 * that cannot be mended. LevelDB wrote each with a checksum, and a sound one says where the next
 * begins, so what comes behind damage is as good as what came before it.
 */
import { viewOf } from './crc32c.ts'
import { headerBytes, physicalAt, readLog, recordStartAfter } from './log-file.ts'
import { mendByTrying, mendChecked } from './one-bit.ts'

export interface SalvagedLog {
  readonly records: readonly Uint8Array[]
  /** Where a bit was put right. */
  readonly mended: readonly number[]
  /** What had to be given up. */
  readonly lost: readonly { readonly from: number; readonly to: number }[]
}

/** `bytes` are mended in place. */
export function salvageLog(bytes: Uint8Array): SalvagedLog {
  const records: Uint8Array[] = []
  const mended: number[] = []
  const lost: { from: number; to: number }[] = []
  let from = 0
  for (;;) {
    const read = readLog(bytes, from)
    const { stop } = read
    if (stop?.damage !== undefined && stop.part !== undefined && mendPart(bytes, stop.part)) {
      mended.push(stop.part)
      continue
    }
    records.push(...read.records)
    if (stop?.damage === undefined) return { records, mended, lost }
    const to = recordStartAfter(bytes, stop.part ?? stop.at) ?? bytes.length
    lost.push({ from: stop.at, to })
    from = to
  }
}

/** Its header: checksum (4 bytes), length (2), type (1). The checksum is of what begins there. */
function mendPart(bytes: Uint8Array, at: number): boolean {
  if (at + headerBytes > bytes.length) return false
  const isSound = (): boolean => physicalAt(bytes, at).state === 'sound'
  if (mendByTrying(bytes, { from: at + 4, to: at + 6 }, isSound)) return true
  const to = at + headerBytes + viewOf(bytes).getUint16(at + 4, true)
  if (to > bytes.length) return false
  const before = bytes.slice(at, to)
  if (mendChecked(bytes, { from: at + 6, to, checksumAt: at }) && isSound()) return true
  bytes.set(before, at)
  return false
}
