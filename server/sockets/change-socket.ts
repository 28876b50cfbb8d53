/**
 * A watcher's socket (interface §6.1): `ready` on connect, `doc_changed` for each revision newer
 * than the client's, `pong` with the current revision. Carries no content and never will.
 */
import type { Change, Current, Follower, Following } from '../../core/documents/contract.ts'
import { errorCatalogue, Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { discussedIn } from './discussed.ts'
import type { Socket } from './socket.ts'

export interface ChangeSocketParts {
  readonly socket: Socket
  readonly slug: Slug
  /** The revision of the client's last read. */
  readonly since: number | undefined
  follow(follower: Follower): Promise<Following>
  /** Throws the refusal when the credential is worth nothing any more. */
  refresh(): Promise<unknown>
  onError(error: unknown): void
}

export class ChangeSocket implements Follower {
  readonly #parts: ChangeSocketParts
  #following: Following | undefined
  /** The newest that is known. */
  #revision = 0
  /** The last revision this client was told of, or said it has. */
  #told = 0
  #isClosed = false
  #early: Change[] = []

  constructor(parts: ChangeSocketParts) {
    this.#parts = parts
    parts.socket.onMessage((data, isBinary) => this.#onMessage(data, isBinary))
    parts.socket.onClose(() => this.#leave())
    void this.#begin()
  }

  get slug(): Slug {
    return this.#parts.slug
  }

  close(code: number, reason: string): void {
    this.#leave()
    this.#parts.socket.close(code, reason)
  }

  onClose(code: number, reason: string): void {
    this.close(code, reason)
  }

  /** Looks the credential up again. */
  async refresh(): Promise<void> {
    try {
      await this.#parts.refresh()
    } catch (error) {
      this.#fail(error)
    }
  }

  beat(): void {
    this.#parts.socket.beat()
  }

  async #begin(): Promise<void> {
    try {
      const following = await this.#parts.follow(this)
      this.#following = following
      if (this.#isClosed) {
        following.stop()
        return
      }
      const { revision } = following
      this.#revision = Math.max(this.#revision, revision)
      const since = this.#parts.since ?? revision
      this.#send({ type: 'ready', revision, since_revision: since })
      this.#told = Math.min(since, revision)
      if (revision > since) this.#tell({ revision, event: 'edit' })
      for (const change of this.#early) this.#tell(change)
      this.#early = []
    } catch (error) {
      this.#fail(error)
    }
  }

  onCurrent({ revision }: Current): void {
    this.#revision = revision
  }

  onChange(change: Change): void {
    if (change.event === 'access') void this.refresh()
    if (this.#following === undefined) this.#early.push(change)
    else this.#tell(change)
  }

  #tell(change: Omit<Change, 'actors'>): void {
    const { revision, event } = change
    if (revision <= this.#told) return
    const told = { revision, since_revision: this.#told, event, ...discussedIn(change) }
    this.#send({ type: 'doc_changed', ...told })
    this.#told = revision
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (isBinary || data.length > maxFrameBytes) return
    if (isPing(data.toString())) this.#send({ type: 'pong', revision: this.#revision })
  }

  #send({ type, ...fields }: { type: string } & Readonly<Record<string, unknown>>): void {
    this.#parts.socket.send(JSON.stringify({ type, slug: this.#parts.slug, ...fields }))
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return
    if (error instanceof Refusal) {
      this.close(errorCatalogue[error.code].close ?? 1011, error.code)
      return
    }
    this.#parts.onError(error)
    this.close(1013, 'UNAVAILABLE')
  }

  #leave(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#following?.stop()
  }
}

const maxFrameBytes = 4096

function isPing(text: string): boolean {
  try {
    const frame: unknown = JSON.parse(text)
    return typeof frame === 'object' && frame !== null && 'type' in frame && frame.type === 'ping'
  } catch {
    return false
  }
}
