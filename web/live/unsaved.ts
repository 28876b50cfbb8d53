/**
 * The changes made in this browser that the service has not yet said are on disk. Each is counted
 * when it is made; only an acknowledgement takes it off, and a new socket acknowledges nothing
 * until the answer to its first step, which carries all of them, is acknowledged whole. It knows no
 * clock and no socket: the caller says what happened, and when.
 */

/** Where in the Yjs history a change begins. */
export interface Change {
  readonly client: number
  readonly clock: number
  /** Milliseconds on the caller's clock. */
  readonly at: number
}

export class Unsaved {
  /** Oldest first. */
  #changes: Change[] = []
  /** How many changes were ever taken off. */
  #saved = 0
  /** For each update message of the present socket: how many changes there were by then. */
  #marks: number[] = []

  get count(): number {
    return this.#changes.length
  }

  get oldest(): Change | undefined {
    return this.#changes[0]
  }

  get changes(): readonly Change[] {
    return this.#changes
  }

  add(change: Change): void {
    this.#changes.push(change)
  }

  /** A new socket; what was sent on the last one may or may not have arrived. */
  opened(): void {
    this.#marks = []
  }

  /** How many changes were ever made. */
  get made(): number {
    return this.#saved + this.#changes.length
  }

  /** An update message left, with what was made by then; the answer on a socket carries all. */
  sent(made = this.made): void {
    this.#marks.push(made)
  }

  /** A piece of the answer left: only the last one makes it whole. */
  sentPiece(): void {
    this.#marks.push(0)
  }

  /** The service has this many update messages of the socket on disk. Returns how many changes. */
  acknowledged(updates: number): number {
    const mark = this.#marks[updates - 1] ?? 0
    const count = Math.max(0, mark - this.#saved)
    this.#changes.splice(0, count)
    this.#saved += count
    return count
  }

  /** Below which clock everything of a client is saved; absent: all of it. */
  starts(): ReadonlyMap<number, number> {
    const starts = new Map<number, number>()
    for (const { client, clock } of this.#changes) {
      starts.set(client, Math.min(clock, starts.get(client) ?? clock))
    }
    return starts
  }
}
