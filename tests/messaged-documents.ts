/**
 * Documents in several hosts behind messages, all in this thread: every list of messages is cloned
 * as between threads and arrives in a later turn. What works here works over any thread.
 */
import type { Documents } from '../core/documents/contract.ts'
import { type DocumentsParts, hostedDocuments } from '../core/documents/front/documents.ts'
import { PlacedHosts } from '../core/documents/front/placed-hosts.ts'
import { HostClient } from '../core/documents/host/host-client.ts'
import { HostServer } from '../core/documents/host/host-server.ts'
import { noRules } from '../core/documents/host/rules.ts'
import { limits as ours } from '../schema/limits.ts'

export interface MessagedDocuments {
  readonly documents: Documents
  /** Ends the host of this name, as if its thread died. */
  end(name: string): void
}

export function openMessagedDocuments(parts: DocumentsParts): MessagedDocuments {
  const { store, runtime, rules = noRules, limits = ours, onTrouble } = parts
  const running = new Map<string, () => void>()
  const hosts = new PlacedHosts({
    store,
    runtime,
    counts: { small: 2, large: 1 },
    workedOn: () => undefined,
    onTrouble,
    async start({ name, onGone, onGrown }, onEnded) {
      let isOver = false
      const later = (receive: () => void) => setImmediate(() => isOver || receive())
      const server: HostServer = new HostServer({
        runtime,
        rules,
        limits,
        markdownMaxBytes: parts.markdownMaxBytes ?? limits.markdownMaxBytes,
        memoryMaxBytes: parts.memoryMaxBytes ?? limits.memoryMaxBytes,
        memoryAimBytes: parts.memoryAimBytes,
        post(messages, handedOver) {
          const cloned = structuredClone(messages, { transfer: handedOver })
          later(() => client.receive(cloned))
        },
      })
      const client = new HostClient({
        name,
        store,
        runtime,
        onTrouble,
        onGone,
        onGrown,
        post(messages, handedOver) {
          const cloned = structuredClone(messages, { transfer: handedOver })
          later(() => server.receive(cloned))
        },
      })
      running.set(name, () => {
        isOver = true
        onEnded(new Error(`${name} was ended`))
      })
      return {
        client,
        async end() {
          isOver = true
        },
      }
    },
  })
  return {
    documents: hostedDocuments({ store, runtime, hosts, limits, onTrouble }),
    end: (name) => running.get(name)?.(),
  }
}

/** In one host of this thread or, where `DOCUMENT_HOST=messages` is set, behind messages. */
export const isMessaged = process.env['DOCUMENT_HOST'] === 'messages'
