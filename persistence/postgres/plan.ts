/**
 * What a group of commits asks of the database. Commits are judged one after the other, each
 * against those before it. What the database has under a key is assumed to be what the first commit
 * that checks it expects, until it was read; the statement that writes the group checks every
 * assumption.
 */
import type { Check, CommitResult, Version } from '../store.ts'
import { bytesOfVersion, versionOfBytes } from './sealed-value.ts'

/** A commit as it came, its values sealed. */
export interface PlannedCommit {
  readonly version: Buffer
  readonly checks: readonly Check[]
  readonly puts: readonly { readonly key: string; readonly sealed: Buffer }[]
  readonly deletes: readonly string[]
}

/** A value to write, with the version of its commit. */
export interface SealedPut {
  readonly sealed: Buffer
  readonly version: Buffer
}

export interface Plan<C extends PlannedCommit> {
  readonly verdicts: readonly { readonly commit: C; readonly result: CommitResult }[]
  /** What the verdicts rest on: the version that each key has to have now, undefined: absent. */
  readonly expected: ReadonlyMap<string, Version | undefined>
  /** Undefined: the key is deleted. */
  readonly writes: ReadonlyMap<string, SealedPut | undefined>
  /** Nothing is written, and every version was read: there is nothing to ask. */
  readonly isKnown: boolean
}

/** `read`: versions that the database was found to have, by key. */
export function planOf<C extends PlannedCommit>(
  commits: readonly C[],
  read: ReadonlyMap<string, Version | undefined>,
): Plan<C> {
  const expected = new Map<string, Version | undefined>()
  const versions = new Map<string, Version | undefined>()
  const writes = new Map<string, SealedPut | undefined>()
  const verdicts: { commit: C; result: CommitResult }[] = []
  let isGuessed = false
  const holds = ({ key, version }: Check): boolean => {
    if (versions.has(key)) return versions.get(key) === version
    if (!expected.has(key)) {
      isGuessed ||= !read.has(key)
      expected.set(key, read.has(key) ? read.get(key) : version)
    }
    return expected.get(key) === version
  }
  for (const commit of commits) {
    const conflict = commit.checks.find((check) => !holds(check))?.key
    if (conflict !== undefined) {
      verdicts.push({ commit, result: { ok: false, conflict } })
      continue
    }
    const version = versionOfBytes(commit.version)
    for (const { key, sealed } of commit.puts) {
      writes.set(key, { sealed, version: commit.version })
      versions.set(key, version)
    }
    for (const key of commit.deletes) {
      writes.set(key, undefined)
      versions.set(key, undefined)
    }
    verdicts.push({ commit, result: { ok: true, version } })
  }
  const isOnlyConflicts = verdicts.every(({ result }) => !result.ok)
  return { verdicts, expected, writes, isKnown: isOnlyConflicts && !isGuessed }
}

/** A row of the statement that writes a plan. */
export interface NamedKey {
  readonly key: Buffer
  readonly isWritten: boolean
  readonly isChecked: boolean
  /** Null: the key has to be absent. */
  readonly expected: Buffer | null
  readonly put: SealedPut | undefined
}

/** All keys of a plan in their order, in which they are locked. */
export function namedKeys({ expected, writes }: Plan<PlannedCommit>): NamedKey[] {
  const keys = new Set([...expected.keys(), ...writes.keys()])
  const named = [...keys].map((key): NamedKey => {
    const version = expected.get(key)
    return {
      key: Buffer.from(key),
      isWritten: writes.has(key),
      isChecked: expected.has(key),
      expected: version === undefined ? null : bytesOfVersion(version),
      put: writes.get(key),
    }
  })
  return named.sort((a, b) => Buffer.compare(a.key, b.key))
}
