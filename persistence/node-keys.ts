/** Keys of nodes that share one store, and of what each of them holds. */
import type { Slug } from '../schema/ids.ts'
import { below, segment } from './key-parts.ts'
import type { Range } from './store.ts'

/** A node that runs; it writes the record anew with each heartbeat. */
export const nodeKey = (id: string): string => `node/${segment(id)}`
export const nodes: Range = below('node')
/** Which node has the document open. */
export const documentLease = (slug: Slug): string => `lease/doc/${slug}`
/** All leases. */
export const leases: Range = below('lease')
/** Which node does some work for all of them. */
export const dutyLease = (duty: string): string => `lease/duty/${segment(duty)}`
