/** Where a live peer comes from that a test makes up. */
import type { Sources } from '../core/documents/contract.ts'

export const sources: Sources = { address: '127.0.0.1', link: 'link' }
