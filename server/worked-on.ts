/** The document that a thread works on, in memory that can be read while the thread hangs. */
import { isSlug, type Slug } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'

const bytesMax = 64

export const sharedSlug = (): SharedArrayBuffer => new SharedArrayBuffer(bytesMax)

/**
 * Notes the document until the turn of the event loop is over: a thread that ends while it does
 * nothing has worked on none. Called before each piece of work.
 */
export function slugWriter(shared: SharedArrayBuffer, runtime: Runtime): (slug: Slug) => void {
  const bytes = new Uint8Array(shared)
  let written: Slug | undefined
  return (slug) => {
    if (slug === written) return
    if (written === undefined) {
      runtime.after(0, () => {
        written = undefined
        bytes[0] = 0
      })
    }
    written = slug
    for (let at = 0; at < slug.length; at++) bytes[at] = slug.charCodeAt(at)
  }
}

/** Undefined: it works on none. */
export function readSlug(shared: SharedArrayBuffer): Slug | undefined {
  const bytes = new Uint8Array(shared)
  const slug = String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)))
  return isSlug(slug) ? slug : undefined
}
