/** The document that a thread works on, in memory that can be read while the thread hangs. */
import { isSlug, type Slug } from '../schema/ids.ts'

const bytesMax = 64

export const sharedSlug = (): SharedArrayBuffer => new SharedArrayBuffer(bytesMax)

export function writeSlug(shared: SharedArrayBuffer, slug: Slug): void {
  const bytes = new Uint8Array(shared)
  for (let at = 0; at < bytesMax; at++) bytes[at] = at < slug.length ? slug.charCodeAt(at) : 0
}

/** Undefined: it has worked on none. */
export function readSlug(shared: SharedArrayBuffer): Slug | undefined {
  const bytes = new Uint8Array(shared)
  const slug = String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)))
  return isSlug(slug) ? slug : undefined
}
