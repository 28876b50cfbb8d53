/**
 * One socket's way to hear who is here. A frame that goes to everybody is passed on while the peer
 * keeps up; else it hears the newest of what it missed, a piece at a time, as its line takes it: so
 * who reads slowly is behind in this alone, and is never dropped for it.
 */
import { limits } from '../../schema/limits.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { awarenessMessage } from './messages.ts'
import type { Broadcast } from './presence.ts'
import type { Socket } from './socket.ts'
import type { Told } from './told.ts'

export interface PresenceLineParts {
  readonly socket: Socket
  readonly told: Told
  readonly runtime: Runtime
  onError(error: unknown): void
}

/** What a peer that does not read keeps of it in memory. */
const pieceBytes = 64 * 1024

export class PresenceLine {
  readonly #parts: PresenceLineParts
  /** Up to where in what was told. */
  #heard = 0
  #isOpen = false
  #isSending = false
  #isAsked = false
  /** When a question may be answered again. */
  #answersFrom = -Infinity

  constructor(parts: PresenceLineParts) {
    this.#parts = parts
  }

  /** The peer hears who is here, and from now on what is new. */
  open(): void {
    this.#isOpen = true
    void this.#catchUp()
  }

  hear({ frame, from, until }: Broadcast): void {
    if (!this.#isOpen || this.#isSending) return
    const { socket } = this.#parts
    if (this.#heard !== from || socket.hasBacklog) {
      void this.#catchUp()
      return
    }
    this.#heard = until
    socket.sendFrame(frame)
  }

  /** The peer asked who is here; several questions have one answer. */
  ask(): void {
    if (!this.#isOpen || this.#isAsked) return
    this.#isAsked = true
    const { runtime } = this.#parts
    const wait = this.#answersFrom - runtime.elapsed()
    if (wait > 0) runtime.after(wait, () => void this.#catchUp())
    else void this.#catchUp()
  }

  /** A message that says nothing new. */
  warm(message: Uint8Array): void {
    void this.#catchUp([message])
  }

  async #catchUp(first: readonly Uint8Array[] = []): Promise<void> {
    if (this.#isSending) return
    const { socket, onError } = this.#parts
    this.#isSending = true
    try {
      for (const message of first) await socket.sendLarge(message)
      for (const message of this.#missed()) {
        if (!socket.isOpen) break
        await socket.sendLarge(message)
      }
    } catch (error) {
      onError(error)
    }
    this.#isSending = false
  }

  /** Made when its turn comes, so that it is the newest then. */
  *#missed(): Generator<Uint8Array> {
    const { told } = this.#parts
    while (this.#isOpen) {
      const isAnswer = this.#startOver()
      const missed = told.after(this.#heard, pieceBytes)
      if (missed === undefined && !isAnswer) return
      this.#heard = missed?.until ?? this.#heard
      yield awarenessMessage(missed?.entries ?? [])
    }
  }

  /** Whether a question is to be answered now, with everybody. */
  #startOver(): boolean {
    const { runtime, told } = this.#parts
    const now = runtime.elapsed()
    if (!this.#isAsked || now < this.#answersFrom) return false
    this.#isAsked = false
    this.#heard = 0
    const lineMs = (told.bytes * 1000) / limits.presenceBytesPerSecond
    this.#answersFrom = now + Math.max(limits.presenceQueryEveryMs, lineMs)
    return true
  }
}
