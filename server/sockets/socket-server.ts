/**
 * Upgrades and open sockets of the process. A refused upgrade is answered in HTTP before any socket
 * opens; one sweep pings, keeps idle editors warm, and drops who does not answer.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import type { FreeSpace } from '../../core/assets/free-space.ts'
import type { Documents } from '../../core/documents/contract.ts'
import { type Admission, refuseUpgrade } from '../../rest/admission/upgrade.ts'
import type { Rest } from '../../rest/create-rest.ts'
import { schemaVersion } from '../../schema/document-schema.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { Runtime, Timer } from '../../schema/runtime.ts'
import { AwarenessRoom } from './awareness.ts'
import { ChangeSocket } from './change-socket.ts'
import { LiveSocket } from './live-socket.ts'
import { OtherUpgrades, offersWebsocket } from './other-upgrades.ts'
import { Socket } from './socket.ts'

export const socketPingEveryMs = 30_000

export interface SocketServerParts {
  readonly documents: Documents
  readonly rest: Rest
  readonly runtime: Runtime
  /** Names the present life of the store; a restore begins another. */
  readonly epoch: () => string
  readonly space: Pick<FreeSpace, 'look' | 'assertTakes'>
  /** A socket or an upgrade that failed for a reason of ours. */
  readonly onError: (error: unknown) => void
}

/** Answers an upgrade here, at another node, or not at all. */
export type UpgradeRoute = (
  request: IncomingMessage,
  socket: Duplex,
  way: { readonly head: Buffer; answerHere(): void; refuse(): void },
) => void

const warmEveryMs = 5_000

/** A message too large ends a socket as the service says it everywhere, so that it stays away. */
class AcceptedSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code === 1009 ? 4413 : code, reason)
  }
}

export class SocketServer {
  readonly #parts: SocketServerParts
  readonly #wss: WebSocketServer
  readonly #rooms = new Map<Slug, AwarenessRoom>()
  readonly #live = new Set<LiveSocket>()
  readonly #changes = new Set<ChangeSocket>()
  /** Refused upgrades whose peers have not closed yet. */
  readonly #refused = new Set<Duplex>()
  #warm: Timer
  #beat: Timer
  #isStopping = false

  constructor(parts: SocketServerParts) {
    this.#parts = parts
    const options: ServerOptions<typeof AcceptedSocket> & { readonly closeTimeout: number } = {
      noServer: true,
      perMessageDeflate: false,
      // One message of a socket in each turn of the event loop: a burst holds nobody up.
      allowSynchronousEvents: false,
      maxPayload: limits.socketMessageMaxBytes,
      closeTimeout: limits.socketCloseTimeoutMs,
      handleProtocols: (offered) => (offered.has('yjs') ? 'yjs' : false),
      WebSocket: AcceptedSocket,
    }
    this.#wss = new WebSocketServer(options)
    this.#warm = this.#scheduleWarm()
    this.#beat = this.#scheduleBeat()
  }

  get liveCount(): number {
    return this.#live.size
  }

  get changeCount(): number {
    return this.#changes.size
  }

  /** `route`: where the upgrade of a websocket is answered, if that is not always here. */
  attach(server: Server, route?: UpgradeRoute): void {
    const others = new OtherUpgrades(server)
    server.on('upgrade', (request, socket, head) => {
      const answerHere = () => void this.#upgrade(request, socket, head)
      const refuse = () => this.#refuse(socket, new Refusal('UNAVAILABLE'))
      if (!offersWebsocket(request)) others.serve(request, socket, head)
      else if (route === undefined) answerHere()
      else {
        socket.on('error', () => socket.destroy())
        route(request, socket, { head, answerHere, refuse })
      }
    })
  }

  /** Ends the sockets of one document, or of all; their clients come again. */
  end(code: 1001 | 1013, reason: string, slug?: Slug): void {
    for (const socket of [...this.#live, ...this.#changes]) {
      if (slug === undefined || socket.slug === slug) socket.close(code, reason)
    }
  }

  /** Ends every socket with 1001; new ones are refused. */
  close(): void {
    this.#isStopping = true
    this.#warm.cancel()
    this.#beat.cancel()
    this.end(1001, 'stopping')
    this.#wss.close()
  }

  /** Ends what did not close by itself. */
  terminate(): void {
    for (const client of this.#wss.clients) client.terminate()
    for (const socket of this.#refused) socket.destroy()
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onSocketError = () => socket.destroy()
    socket.on('error', onSocketError)
    try {
      if (this.#isStopping) throw new Refusal('UNAVAILABLE')
      const admission = await this.#parts.rest.authenticateUpgrade(request)
      const since = admission.kind === 'changes' ? sinceOf(admission.query) : undefined
      socket.off('error', onSocketError)
      this.#wss.handleUpgrade(request, socket, head, (ws) => {
        // What the peer did wrong is answered by ws itself, with a close that may take its time.
        ws.on('error', () => {})
        const accepted = new Socket(ws, socket, this.#parts.runtime)
        if (admission.kind === 'live') this.#openLive(accepted, admission)
        else this.#openChanges(accepted, admission, since)
      })
    } catch (error) {
      this.#refuse(socket, error)
    }
  }

  /** Node hands the connection over for good, so its end is ours to see to. */
  #refuse(socket: Duplex, error: unknown): void {
    const { runtime, onError } = this.#parts
    const { unexpected } = refuseUpgrade(socket, error, runtime)
    if (unexpected !== undefined) onError(unexpected)
    const late = runtime.after(limits.socketCloseTimeoutMs, () => socket.destroy())
    this.#refused.add(socket)
    socket.on('close', () => {
      late.cancel()
      this.#refused.delete(socket)
    })
    socket.resume()
  }

  #openLive(socket: Socket, admission: Admission): void {
    const { documents, onError } = this.#parts
    const { slug } = admission
    if (isOutdated(admission.query)) {
      socket.close(4426, 'reload the page: the schema has changed')
      return
    }
    const epoch = admission.query.get('epoch')
    if (epoch !== null && epoch !== this.#parts.epoch()) {
      socket.close(4409, 'the service was restored from a backup')
      return
    }
    const room = this.#roomOf(slug)
    const live = new LiveSocket({
      socket,
      slug,
      room,
      events: admission.query.get('events') === 'json',
      epoch: this.#parts.epoch(),
      knowsEpoch: epoch !== null,
      claimable: admission.claimable,
      linkless: admission.linkless,
      runtime: this.#parts.runtime,
      access: admission.access,
      refresh: () => admission.refresh(),
      connect: (request, peer) => documents.connect(slug, request, peer),
      assertSpace: (bytes) => this.#assertSpace(bytes),
      onFirstWrite: () => admission.keepLink(),
      onError,
    })
    this.#live.add(live)
    const unwatch = admission.watch(() => void live.refresh())
    socket.onClose(() => {
      unwatch()
      this.#live.delete(live)
      if (room.isEmpty && this.#rooms.get(slug) === room) this.#rooms.delete(slug)
    })
  }

  #openChanges(socket: Socket, admission: Admission, since: number | undefined): void {
    const { documents, onError } = this.#parts
    const { slug } = admission
    const changes = new ChangeSocket({
      socket,
      slug,
      since,
      follow: (follower) => documents.follow(slug, follower, admission.access.sources),
      refresh: () => admission.refresh(),
      onError,
    })
    this.#changes.add(changes)
    const unwatch = admission.watch(() => void changes.refresh())
    socket.onClose(() => {
      unwatch()
      this.#changes.delete(changes)
    })
  }

  /** As of the last look; the next message finds what this one looks for. */
  #assertSpace(bytes: number): void {
    const { space, onError } = this.#parts
    space.look().catch(onError)
    space.assertTakes(bytes)
  }

  #roomOf(slug: Slug): AwarenessRoom {
    let room = this.#rooms.get(slug)
    if (room === undefined) {
      room = new AwarenessRoom(this.#parts.runtime)
      this.#rooms.set(slug, room)
    }
    return room
  }

  #scheduleWarm(): Timer {
    return this.#parts.runtime.after(warmEveryMs, () => {
      for (const live of this.#live) live.keepWarm()
      this.#warm = this.#scheduleWarm()
    })
  }

  #scheduleBeat(): Timer {
    return this.#parts.runtime.after(socketPingEveryMs, () => {
      for (const socket of [...this.#live, ...this.#changes]) socket.beat()
      this.#beat = this.#scheduleBeat()
    })
  }
}

/** A page says by `?schema=` which schema it knows; one that says nothing knows this one. */
function isOutdated(query: URLSearchParams): boolean {
  const known = query.get('schema')
  return known !== null && !(Number(known) >= schemaVersion)
}

/** `since_revision` of the change stream: a non-negative integer, or absent. */
function sinceOf(query: URLSearchParams): number | undefined {
  const value = query.get('since_revision')
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
  const issue = { path: '?since_revision', message: 'takes a non-negative integer' }
  throw new Refusal('INVALID_REQUEST', { issues: [issue] })
}
