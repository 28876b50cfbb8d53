/** Messages that no stock client sends, written byte by byte. */
import * as encoding from 'lib0/encoding'
import { fragmentName } from '../../schema/document-schema.ts'
import { syncFrame } from '../typed-frames.ts'

const contentType = 7
const xmlElement = 3
const awareness = 1
const queryAwareness = 3

export const randomClient = (): number => Math.floor(Math.random() * 0x7fffffff) + 1

/**
 * Elements at the root that name no neighbour: Yjs looks for the place of each from the start. As
 * many as an update may bring to a document of 20,000 blocks.
 */
export const rulesPerUpdate = 5
export function rootRules(client: number, clock: number): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const number of [1, rulesPerUpdate, client, clock]) encoding.writeVarUint(encoder, number)
  for (let left = rulesPerUpdate; left > 0; left--) {
    encoding.writeUint8(encoder, contentType)
    encoding.writeVarUint(encoder, 1)
    encoding.writeVarString(encoder, fragmentName)
    encoding.writeVarUint(encoder, xmlElement)
    encoding.writeVarString(encoder, 'horizontal_rule')
  }
  encoding.writeVarUint(encoder, 0)
  return syncFrame(new Uint8Array(), 2, encoding.toUint8Array(encoder))
}

export interface State {
  readonly client: number
  readonly clock: number
  readonly json: string
}

export function awarenessFrame(states: readonly State[]): Uint8Array {
  const update = encoding.createEncoder()
  encoding.writeVarUint(update, states.length)
  for (const { client, clock, json } of states) {
    encoding.writeVarUint(update, client)
    encoding.writeVarUint(update, clock)
    encoding.writeVarString(update, json)
  }
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, awareness)
  encoding.writeVarUint8Array(encoder, encoding.toUint8Array(update))
  return encoding.toUint8Array(encoder)
}

export const awarenessQuery = new Uint8Array([queryAwareness])

/** Arrays in arrays; what stands in the innermost makes two of them unlike. */
export const brackets = (depth: number, inner: string): string =>
  `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

/** A first step of the sync that says it has what nobody ever wrote: no two are alike. */
export function unknownVector(clients: number): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, clients)
  for (let left = clients; left > 0; left--) {
    encoding.writeVarUint(encoder, randomClient())
    encoding.writeVarUint(encoder, 1)
  }
  return syncFrame(new Uint8Array(), 0, encoding.toUint8Array(encoder))
}
