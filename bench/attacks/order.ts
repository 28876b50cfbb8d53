/** What the processes of the attacks are told, and what they answer. Plain data over IPC. */
export interface Seat {
  readonly slug: string
  /** Empty: nobody's, as an upgrade without any credential. */
  readonly token: string
}

/** Somebody who may be attacked or wronged: a document and what its attacker knows of it. */
export interface Target {
  readonly slug: string
  /** Editor tokens minted through its share address; empty where only the slug is known. */
  readonly tokens: readonly string[]
}

export interface Attack {
  readonly kind: AttackKind
  readonly target: Target
  readonly seconds: number
  /** How many sockets, requests at once or identities. */
  readonly many: number
  /** Of root rules: updates a second that each identity sends. */
  readonly rate?: number
  /** Which of the single steps. */
  readonly step?: string
  /** Of creates and dry runs. */
  readonly bodies?: readonly Text[]
}

/** A markdown of that many repetitions. */
export interface Text {
  readonly unit: string
  readonly times: number
}

export type AttackKind =
  | 'creates'
  | 'dry-runs'
  | 'brackets'
  | 'root-rules'
  | 'presence'
  | 'queries'
  | 'step1'
  | 'squat'
  | 'records'
  | 'slow'
  | 'sign-ins'
  | 'steps'

export interface AttackerOrder {
  readonly port: number
  readonly from: string
  /** Of all that it sends; absent: as fast as it is taken. */
  readonly bytesPerSecond?: number
  readonly attacks: readonly Attack[]
  /** Each again and again until so much time is over; absent: once. */
  readonly seconds?: number
}

/** What an attack saw itself, by name; numbers are summed over repetitions. */
export type Facts = Readonly<Record<string, number>>

export interface HonestOrder {
  readonly port: number
  readonly from: string
  readonly seats: readonly Seat[]
  readonly keysPerSecond: number
  readonly asksHealth: boolean
}

/** Latencies in milliseconds; those that were never answered have what they waited until the end. */
export interface HonestResult {
  readonly health: readonly number[]
  readonly healthFailed: number
  readonly keys: readonly number[]
  readonly typed: number
  /** Letters that the service's text lacks. */
  readonly lost: number
  /** Copies whose text is another than the service's. */
  readonly unlike: number
  readonly closes: readonly string[]
  readonly closedForGood: readonly string[]
  /** The longest time in which the honest process itself could not run: no fault of the service. */
  readonly ownHold: number
}
