/**
 * How many connections there may be: fewer than the process may have files open, so that the store
 * can always open its own.
 */
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { networkOf } from '../rest/addresses/caller-address.ts'
import { limits } from '../schema/limits.ts'

/**
 * What remains of so many descriptors when the store has its part: LevelDB keeps up to a fifth of
 * them for its tables, and some are for its log, for reading and for backups.
 */
export const connectionsFor = (descriptors: number): number =>
  Math.max(8, Math.floor(descriptors * 0.7) - limits.descriptorsReserved)

const ownLimits = '/proc/self/limits'

/** How many files this process may have open; undefined where there is no bound. */
export function descriptorsOfProcess(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(ownLimits, 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    // No Linux: Node's own report knows, and takes its time.
    return reportedDescriptors()
  }
}

function reportedDescriptors(): number | undefined {
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } }
  }
  const soft = report.userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/**
 * At most so many connections at a time. Whoever comes when all are taken is dropped, unless
 * another network has more than theirs: that one loses its oldest which is no websocket (those have
 * bounds of their own). So nobody takes up the connections of others.
 */
export function boundConnections(server: Server, max: number): void {
  const networkBy = new Map<Duplex, string>()
  /** The connections that are no websockets, the oldest first. */
  const byNetwork = new Map<string, Set<Duplex>>()
  const forget = (socket: Duplex): void => {
    const network = networkBy.get(socket) ?? ''
    const own = byNetwork.get(network)
    own?.delete(socket)
    if (own?.size === 0) byNetwork.delete(network)
  }
  const makesRoomFor = (network: string): boolean => {
    let most: ReadonlySet<Duplex> = new Set()
    for (const sockets of byNetwork.values()) if (sockets.size > most.size) most = sockets
    const [oldest] = most
    if (oldest === undefined || most.size <= (byNetwork.get(network)?.size ?? 0) + 1) return false
    oldest.destroy()
    return true
  }
  server.on('connection', (socket: Socket) => {
    // It came before, and is back from an offer to upgrade that was declined.
    if (networkBy.has(socket)) return
    const network = networkOf(socket.remoteAddress ?? '')
    if (networkBy.size >= max && !makesRoomFor(network)) {
      socket.destroy()
      return
    }
    networkBy.set(socket, network)
    byNetwork.set(network, (byNetwork.get(network) ?? new Set()).add(socket))
    socket.on('close', () => {
      forget(socket)
      networkBy.delete(socket)
    })
  })
  server.on('upgrade', (_, socket) => forget(socket))
}
