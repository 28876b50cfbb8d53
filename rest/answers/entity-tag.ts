/**
 * Entity tags (interface §4.4): a fingerprint of everything the caller sees. The parts are named by
 * whoever answers; whatever is shown and may change without a new revision is among them.
 */
import { createHash } from 'node:crypto'

/**
 * The tag of these parts, strong or weak (a weak one promises the same meaning, not the same
 * bytes).
 */
export function entityTag(parts: readonly unknown[], strength: 'strong' | 'weak'): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)
  return strength === 'weak' ? `W/"${digest}"` : `"${digest}"`
}

/** Whether `If-None-Match` names this tag; compared weakly, as conditional reads are. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const plain = (text: string) => text.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || plain(one) === plain(tag))
}
