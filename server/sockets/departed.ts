/**
 * Who was here a moment ago: a stock client repeats what it has heard, and of one who has just left
 * it must not be taken at its word. Kept apart by network, so that nobody makes the room forget
 * those of other networks by coming and going.
 */

interface Departure {
  readonly clock: number
  readonly holder: string
}

const perNetworkMax = 128
const networksMax = 32

export class Departed {
  /** By network and clientID; the last to lose somebody last, and of those the newest last. */
  readonly #networks = new Map<string, Map<number, Departure>>()
  readonly #networkOf = new Map<number, string>()

  add(client: number, departure: Departure, network: string): void {
    this.forget(client)
    const known = this.#networks.get(network) ?? new Map<number, Departure>()
    this.#networks.delete(network)
    this.#networks.set(network, known)
    known.set(client, departure)
    this.#networkOf.set(client, network)
    const [oldest] = known.keys()
    if (known.size > perNetworkMax && oldest !== undefined) this.forget(oldest)
    const [longestQuiet] = this.#networks
    if (this.#networks.size <= networksMax || longestQuiet === undefined) return
    for (const gone of longestQuiet[1].keys()) this.#networkOf.delete(gone)
    this.#networks.delete(longestQuiet[0])
  }

  forget(client: number): void {
    const network = this.#networkOf.get(client)
    if (network === undefined) return
    this.#networkOf.delete(client)
    const known = this.#networks.get(network)
    known?.delete(client)
    if (known?.size === 0) this.#networks.delete(network)
  }

  /** Whether this was heard of a client that has left, and is said by somebody else. */
  isEcho(client: number, clock: number, holder: string): boolean {
    const network = this.#networkOf.get(client)
    const departure = network && this.#networks.get(network)?.get(client)
    return !!departure && departure.holder !== holder && clock <= departure.clock
  }
}
