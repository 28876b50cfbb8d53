/**
 * What every engine asks of keys and commits before it looks at them, so that all engines accept
 * the same calls. A violation is a bug of the caller and throws TypeError; nothing here knows
 * documents.
 */
import type { Check, Commit, Range, Store, Version } from './store.ts'

/** Keys are not empty, have an exact UTF-8 form, and leave U+0000 at the front to the engines. */
export function assertKey(key: string): void {
  if (key === '') throw new TypeError('a key must not be empty')
  if (key.charCodeAt(0) === 0) throw new TypeError('keys that begin with U+0000 are reserved')
  if (!key.isWellFormed()) throw new TypeError('a key must be well-formed Unicode')
}

/** Each key is written at most once: a commit has no order inside. */
export function assertCommit(commit: Commit): void {
  const written = new Set<string>()
  for (const { key } of commit.checks ?? []) assertKey(key)
  for (const { key } of commit.puts ?? []) assertOnce(written, key)
  for (const key of commit.deletes ?? []) assertOnce(written, key)
}

function assertOnce(written: Set<string>, key: string): void {
  assertKey(key)
  if (written.has(key)) throw new TypeError(`a commit writes ${key} twice`)
  written.add(key)
}

/** The key of the first check that does not hold, given the version each key has now. */
export function firstConflict(
  checks: readonly Check[],
  versionNow: (key: string) => Version | undefined,
): string | undefined {
  for (const check of checks) {
    if (versionNow(check.key) !== check.version) return check.key
  }
  return undefined
}

const keysAtOnce = 1000

/**
 * Deletes a range of keys, for engines that have nothing better: by scanning it, so many keys a
 * commit.
 */
export async function deletingRange(
  store: Pick<Store, 'scanRaw' | 'commit'>,
  range: Range,
): Promise<number> {
  let deleted = 0
  let deletes: string[] = []
  const flush = async () => {
    if (deletes.length === 0) return
    await store.commit({ deletes })
    deleted += deletes.length
    deletes = []
  }
  for await (const record of store.scanRaw(range)) {
    if ('damaged' in record) continue
    deletes.push(record.key)
    if (deletes.length === keysAtOnce) await flush()
  }
  await flush()
  return deleted
}
