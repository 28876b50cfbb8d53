/**
 * Asks `/healthz` ten times a second whether or not the last answer came, as many others would; what
 * is still unanswered at the end counts with what it waited.
 */
import { Agent, type ClientRequest, request } from 'node:http'

const everyMs = 100
const outstandingMax = 200

export class HealthAsker {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #target: { readonly port: number; readonly from: string }
  readonly #answered: number[] = []
  readonly #waiting = new Map<ClientRequest, number>()
  #failed = 0
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(target: { readonly port: number; readonly from: string }) {
    this.#target = target
  }

  begin(): void {
    this.#timer = setInterval(() => this.#ask(), everyMs)
  }

  end(): { readonly health: readonly number[]; readonly healthFailed: number } {
    clearInterval(this.#timer)
    const now = performance.now()
    const health = [...this.#answered, ...[...this.#waiting.values()].map((at) => now - at)]
    const healthFailed = this.#failed
    for (const sent of this.#waiting.keys()) sent.destroy()
    this.#agent.destroy()
    return { health, healthFailed }
  }

  #ask(): void {
    if (this.#waiting.size >= outstandingMax) return
    const { port, from } = this.#target
    const at = performance.now()
    const options = { host: '127.0.0.1', port, localAddress: from, path: '/healthz' }
    const sent = request({ ...options, agent: this.#agent }, (response) => {
      response.resume()
      response.on('end', () => {
        this.#waiting.delete(sent)
        this.#answered.push(performance.now() - at)
      })
    })
    this.#waiting.set(sent, at)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.#waiting.delete(sent)) return
      // The service had just closed the idle connection that was used again.
      if (!sent.reusedSocket || error.code !== 'ECONNRESET') this.#failed++
    })
    sent.end()
  }
}
