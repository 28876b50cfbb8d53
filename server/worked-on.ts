/** The document that a thread works on, in memory that can be read while the thread hangs. */
import { isSlug, type Slug } from '../schema/ids.ts'

const bytesMax = 64

export const sharedSlug = (): SharedArrayBuffer => new SharedArrayBuffer(bytesMax)

/** Writes only where the document is another one: it is told at each step of long work. */
export function slugWriter(shared: SharedArrayBuffer): (slug: Slug) => void {
  const bytes = new Uint8Array(shared)
  let written: Slug | undefined
  return (slug) => {
    if (slug === written) return
    written = slug
    bytes.fill(0)
    for (let at = 0; at < slug.length; at++) bytes[at] = slug.charCodeAt(at)
  }
}

/** Undefined: it has worked on none. */
export function readSlug(shared: SharedArrayBuffer): Slug | undefined {
  const bytes = new Uint8Array(shared)
  const slug = String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)))
  return isSlug(slug) ? slug : undefined
}
