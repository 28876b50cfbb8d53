/** The messages of the sync protocol that carry a document's update, as bytes. */

import { limits } from '../../schema/limits.ts'

/** What a message has beside its update is less. */
export const updateMaxBytes = limits.socketMessageMaxBytes - 64

const messageSync = 0
const numbers = { answer: 1, update: 2 }

export type Kind = 'answer' | 'update' | 'other'

export function kindOf(data: unknown): Kind {
  if (!(data instanceof Uint8Array) || data[0] !== messageSync) return 'other'
  if (data[1] === numbers.answer) return 'answer'
  return data[1] === numbers.update ? 'update' : 'other'
}

/** The update in such a message: behind the kind of it and its own length. */
export function updateIn(message: Uint8Array): Uint8Array {
  let start = 2
  while (((message[start] ?? 0) & 0x80) !== 0) start++
  return message.subarray(start + 1)
}

export function syncMessage(
  kind: keyof typeof numbers,
  update: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const head = [messageSync, numbers[kind]]
  let length = update.length
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80)
  head.push(length)
  const message = new Uint8Array(head.length + update.length)
  message.set(head)
  message.set(update, head.length)
  return message
}
