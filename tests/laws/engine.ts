/** What a law asks of the place where the service runs: to start it, and to speak to it. */
import type { WebSocket } from 'ws'
import type { Documents } from '../../core/documents/contract.ts'
import type { Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Running {
  readonly documents: Documents
  readonly store: Store
  stop(): Promise<void>
}

export interface Engine {
  readonly runtime: Runtime
  /** Host and port; once it has started. */
  readonly address: string
  /** On the same data and address as before; it tells what an operator would see as an error. */
  start(onError: (error: string) => void): Promise<Running>
  /** Undefined: nobody listens, or the line broke. */
  request(request: Request): Promise<Response | undefined>
  socket(url: string, protocols: readonly string[]): WebSocket
  remove(): void
}
