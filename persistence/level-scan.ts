/**
 * Scans of a LevelDB database: one snapshot, each record checked, records in quarantine withheld
 * and their span told of in their place.
 */
import type { Level } from 'level'
import { openEnvelope } from './envelope.ts'
import { compareKeys } from './key-order.ts'
import { asDamage, hasCode } from './level-errors.ts'
import { type KeySpan, outOfService, type Quarantine, textOfKey } from './quarantine.ts'
import { type DamagedRecords, type KeyedValue, type Range, StoreDamage } from './store.ts'
import { StoreClosed } from './store-errors.ts'

export type Database = Level<string, Buffer>
export type RawRecord = KeyedValue | DamagedRecords

/** No key of a caller begins with U+0000. */
const firstUserKey = '\u0001'

/**
 * Opens its iterator at once: that is the snapshot. An unread scan holds it until the database
 * closes.
 */
export function scanDatabase(
  database: Database,
  range: Range,
  quarantine: Quarantine,
): AsyncGenerator<RawRecord> {
  const spans = quarantine.within(range)
  if (spans.length === 0) return walk(database.iterator(levelRange(range)))
  const { limit = -1, reverse = false } = range
  const all = walk(database.iterator({ ...levelRange(range), limit: -1 }))
  return first(limit, withholding(all, spans, reverse))
}

/**
 * Like `scanDatabase`, but throws `StoreDamage` at bad records, and at once where a span is met.
 */
export function scanUndamaged(
  database: Database,
  range: Range,
  quarantine: Quarantine,
): AsyncGenerator<KeyedValue> {
  const spans = quarantine.within(range)
  return undamaged(spans.length > 0 ? told(spans) : scanDatabase(database, range, quarantine))
}

async function* undamaged(records: AsyncGenerator<RawRecord>): AsyncGenerator<KeyedValue> {
  for await (const record of records) {
    if ('upTo' in record) throw outOfService(record.key)
    if ('damaged' in record) throw new StoreDamage(record.key, 'its checksum is wrong')
    yield record
  }
}

async function* walk(records: AsyncIterable<[string, Buffer]>): AsyncGenerator<RawRecord> {
  let reached = 'the beginning'
  try {
    for await (const [key, envelope] of records) {
      reached = key
      yield rawRecord(key, envelope)
    }
  } catch (error) {
    if (hasCode(error, 'LEVEL_ITERATOR_NOT_OPEN')) throw new StoreClosed()
    throw asDamage(error, `after ${reached}`)
  }
}

function rawRecord(key: string, envelope: Buffer): RawRecord {
  try {
    return { key, ...openEnvelope(key, envelope) }
  } catch (error) {
    if (error instanceof StoreDamage) return { key, damaged: true }
    throw error
  }
}

async function* withholding(
  records: AsyncGenerator<RawRecord>,
  within: readonly KeySpan[],
  reverse: boolean,
): AsyncGenerator<RawRecord> {
  const spans = reverse ? within.toReversed() : [...within]
  const isPast = ({ from, to }: KeySpan, key: Buffer) =>
    reverse ? Buffer.compare(key, from) < 0 : Buffer.compare(key, to) > 0
  const isIn = ({ from, to }: KeySpan, key: Buffer) =>
    Buffer.compare(from, key) <= 0 && Buffer.compare(key, to) <= 0
  for await (const record of records) {
    const key = Buffer.from(record.key)
    for (let span = spans[0]; span !== undefined && isPast(span, key); span = spans[0]) {
      spans.shift()
      yield recordOf(span)
    }
    const [span] = spans
    if (span === undefined || !isIn(span, key)) yield record
  }
  yield* told(spans)
}

async function* told(spans: readonly KeySpan[]): AsyncGenerator<RawRecord> {
  for (const span of spans) yield recordOf(span)
}

const recordOf = ({ from, to }: KeySpan): DamagedRecords => ({
  key: textOfKey(from),
  damaged: true,
  upTo: Buffer.from(to).toString(),
})

async function* first(limit: number, records: AsyncGenerator<RawRecord>) {
  if (limit === 0) return
  let count = 0
  for await (const record of records) {
    yield record
    if (++count === limit) return
  }
}

/** One lower and one upper bound at most, and never our own records. */
function levelRange(range: Range) {
  const { gte = firstUserKey, gt, lte, lt, reverse = false, limit = -1 } = range
  const least = compareKeys(gte, firstUserKey) < 0 ? firstUserKey : gte
  const lower = gt !== undefined && compareKeys(gt, least) >= 0 ? { gt } : { gte: least }
  const upTo = lt !== undefined && (lte === undefined || compareKeys(lt, lte) <= 0)
  const upper = upTo ? { lt } : lte === undefined ? {} : { lte }
  return { ...lower, ...upper, reverse, limit }
}
