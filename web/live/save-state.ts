/**
 * What the state line says, as a function of what is known. Every word of it comes from the
 * service's acknowledgements and closings; the clock only decides how soon waiting is mentioned.
 */

export type SaveState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving'; readonly changes: number }
  /** Written by somebody without a name; nothing of it has been sent. */
  | { readonly kind: 'unnamed'; readonly changes: number }
  | { readonly kind: 'offline' | 'reconnecting'; readonly changes: number; readonly kept: boolean }
  | { readonly kind: 'read-only'; readonly because: ReadOnlyBecause }
  | { readonly kind: 'ended'; readonly because: EndedBecause }

export type ReadOnlyBecause = 'viewer' | 'linkless' | 'commenter' | 'locked'
export type EndedBecause = 'archived' | 'deleted' | 'no-access' | 'reload' | 'address'

/**
 * How this page stands to the service: `lost` once a socket ended, `away` once coming back failed.
 */
export type Link = 'connecting' | 'synced' | 'lost' | 'away'

export interface SaveFacts {
  readonly ended: EndedBecause | undefined
  /** There is a text to show, the service's or the kept one. */
  readonly ready: boolean
  readonly link: Link
  /** Changes without acknowledgement. */
  readonly changes: number
  /** How long the oldest of them has waited, milliseconds. */
  readonly waitedMs: number
  /** Whether these changes survive the page. */
  readonly kept: boolean
  readonly unnamed: boolean
  readonly readOnly: ReadOnlyBecause | undefined
}

/** A change that is acknowledged sooner is not worth a word. */
export const mentionAfterMs = 400

export function saveStateOf(facts: SaveFacts): SaveState {
  const { ended, ready, link, changes, kept } = facts
  if (ended !== undefined) return { kind: 'ended', because: ended }
  if (link === 'away') return { kind: 'offline', changes, kept }
  if (!ready) return { kind: 'loading' }
  if (facts.unnamed && changes > 0) return { kind: 'unnamed', changes }
  if (link === 'lost') return { kind: 'reconnecting', changes, kept }
  if (link === 'connecting') {
    return changes > 0 ? { kind: 'reconnecting', changes, kept } : { kind: 'loading' }
  }
  if (facts.readOnly !== undefined) return { kind: 'read-only', because: facts.readOnly }
  if (changes > 0 && facts.waitedMs >= mentionAfterMs) return { kind: 'saving', changes }
  return { kind: 'saved' }
}
