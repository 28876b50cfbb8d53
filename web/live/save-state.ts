/**
 * What the state line says, as a function of what is known. Every word of it comes from the
 * service's acknowledgements and closings; the clock only decides how soon waiting is mentioned.
 */

import { isAny, type OutgoingCounts } from './outgoing.ts'

export type SaveState = TextState & {
  /** What else the service has not got; not given: nothing. */
  readonly unsent?: OutgoingCounts
}

type TextState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving'; readonly changes: number }
  /** Written by somebody without a name; nothing of it has been sent. */
  | { readonly kind: 'unnamed'; readonly changes: number }
  | Away
  | { readonly kind: 'read-only'; readonly because: ReadOnlyBecause }
  | { readonly kind: 'ended'; readonly because: EndedBecause }

interface Away {
  /** `polling`: the network lets no socket through; the text is read over HTTP. */
  readonly kind: 'offline' | 'reconnecting' | 'polling'
  readonly changes: number
  /** How many of them are written to this device, and how many are not and should be by now. */
  readonly kept: number
  readonly unkept: number
  /** At a proxy in front, which is why. */
  readonly signInEnded?: true
}

export type ReadOnlyBecause = 'viewer' | 'linkless' | 'commenter' | 'locked'
export type EndedBecause = 'archived' | 'deleted' | 'no-access' | 'reload' | 'address'

/**
 * How this page stands to the service: `lost` once a socket ended, `away` once coming back failed,
 * `polled` where it is reached over HTTP alone.
 */
export type Link = 'connecting' | 'synced' | 'lost' | 'away' | 'polled'

export interface SaveFacts {
  readonly ended: EndedBecause | undefined
  /** There is a text to show, the service's or the kept one. */
  readonly ready: boolean
  readonly link: Link
  /** Changes without acknowledgement. */
  readonly changes: number
  /** The oldest of them has waited long enough for a word. */
  readonly isLate: boolean
  /** How many of them this device has written, the oldest first. */
  readonly kept: number
  /** It cannot write the others, or should have by now. */
  readonly isKeepingLate: boolean
  /** What has been on its way long enough for a word. */
  readonly outgoing: OutgoingCounts
  readonly signInEnded: boolean
  readonly unnamed: boolean
  readonly readOnly: ReadOnlyBecause | undefined
}

export function saveStateOf(facts: SaveFacts): SaveState {
  const { outgoing } = facts
  return { ...textState(facts), ...(isAny(outgoing) && { unsent: outgoing }) }
}

function textState(facts: SaveFacts): TextState {
  const { ended, ready, link, changes, kept } = facts
  const unkept = facts.isKeepingLate ? changes - kept : 0
  if (ended !== undefined) return { kind: 'ended', because: ended }
  if (link === 'away') {
    const because = facts.signInEnded && { signInEnded: true as const }
    return { kind: 'offline', changes, kept, unkept, ...because }
  }
  if (!ready) return { kind: 'loading' }
  if (link === 'polled') return { kind: 'polling', changes, kept, unkept }
  if (facts.unnamed && changes > 0) return { kind: 'unnamed', changes }
  if (link === 'lost' || (link === 'connecting' && changes > 0)) {
    return { kind: 'reconnecting', changes, kept, unkept }
  }
  if (link === 'connecting') return { kind: 'loading' }
  if (facts.readOnly !== undefined) return { kind: 'read-only', because: facts.readOnly }
  if (changes > 0 && facts.isLate) return { kind: 'saving', changes }
  return { kind: 'saved' }
}
