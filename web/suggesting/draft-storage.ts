/**
 * Drafts of suggestions as this device keeps them, of the last documents only. Every page asks here
 * whether there is one; it knows nothing of what they say.
 */
import { readList, writeItem } from '../platform/device-storage.ts'
import type { Sent } from './sending.ts'

/** Whose draft it is, and of which document. */
export interface DraftOwner {
  readonly slug: string
  readonly actor: string
}

export interface KeptChange {
  readonly id: number
  readonly from: unknown
  readonly to: unknown
  /** The words that it takes away. */
  readonly old: string
  readonly slice: unknown
  readonly sent?: Sent
}

interface KeptDraft extends DraftOwner {
  /** Names it in requests that may be repeated. */
  readonly key: string
  readonly changes: readonly KeptChange[]
  /** What has no place any more, until somebody has taken note of it. */
  readonly lost?: readonly unknown[]
}

const storageKey = 'suggestion-drafts'
const documentsMax = 20
const keptMaxChars = 1_000_000

export const hasKeptDraft = (owner: DraftOwner): boolean => keptDraftOf(owner) !== undefined

/** What of it the service has by now, and nothing else. */
export function keepSent(owner: DraftOwner, sent: ReadonlyMap<number, Sent>): void {
  const found = keptDraftOf(owner)
  if (found === undefined) return
  const changes = found.changes.map((change) => {
    const own = sent.get(change.id)
    return own === undefined ? change : { ...change, sent: own }
  })
  writeKept(owner, { ...found, changes })
}

/** What was lost has been taken note of. */
export function forgetLost(owner: DraftOwner): void {
  const found = keptDraftOf(owner)
  if (found === undefined) return
  writeKept(owner, found.changes.length === 0 ? undefined : { ...found, lost: [] })
}

export function writeKept({ slug, actor }: DraftOwner, kept: KeptDraft | undefined): void {
  const others = allKept().filter((one) => one.slug !== slug || one.actor !== actor)
  const all = kept === undefined ? others : [kept, ...others]
  let text = ''
  for (let count = Math.min(all.length, documentsMax); count >= 0; count--) {
    text = JSON.stringify(all.slice(0, count))
    if (text.length <= keptMaxChars) break
  }
  writeItem(storageKey, text)
}

export const keptDraftOf = ({ slug, actor }: DraftOwner): KeptDraft | undefined =>
  allKept().find((one) => one.slug === slug && one.actor === actor)

const allKept = (): readonly KeptDraft[] => readList(storageKey, isKept)

function isKept(value: unknown): value is KeptDraft {
  const { slug, actor, key, changes } = (value ?? {}) as Partial<KeptDraft>
  const isNamed = [slug, actor, key].every((name) => typeof name === 'string')
  return isNamed && Array.isArray(changes)
}
