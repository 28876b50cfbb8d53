/** What was found in an update by looking through it before it is judged. */
import type { Effort } from './effort.ts'
import type { Integration } from './integration.ts'
import type { Costly, Gap, Unfit } from './unfit.ts'
import type { ParsedUpdate } from './update-reader.ts'

/** An update that is looked through. */
export interface Looking {
  readonly parsed: ParsedUpdate
  readonly effort: Effort
  readonly integration: Integration
}

export interface Found extends Pick<Looking, 'effort' | 'integration'> {
  /** Whether it deletes anything that is not deleted yet. */
  readonly deletes: boolean
}

/** What was found with so much effort, or why the update is not admitted. */
export interface Ahead {
  readonly update: Uint8Array
  readonly most: number
  readonly found: Found | Unfit | Costly | Gap
  /** What it brings is known again, as before one can be admitted. */
  takeBack(): void
}

export function foundIn({ found, takeBack }: Ahead): Found {
  if (found instanceof Error) throw found
  takeBack()
  return found
}
