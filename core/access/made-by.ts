/** Which documents an account or agent has made links or tokens of (extensions §3). */
import { indexKey, indexRange } from '../../persistence/keys.ts'
import type { Range } from '../../persistence/store.ts'
import type { Slug } from '../../schema/ids.ts'

export const madeKey = (actor: string, slug: Slug): string => indexKey('made-by', actor, slug)
export const madeBy = (actor: string): Range => indexRange('made-by', actor)
