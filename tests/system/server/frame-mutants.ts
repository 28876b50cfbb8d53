/**
 * Frames that no client should send, drawn from a seed: honest y-websocket frames with something
 * wrong in them, and plain rubbish.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { fragmentName } from '../../../schema/document-schema.ts'
import { Chance } from '../../chance.ts'
import { awarenessOf, frame, step1Of, step2Of, textsOf, updateOf } from '../../unit/server/wire.ts'

export class FrameMutants {
  readonly #chance: Chance
  readonly #ydoc = new Y.Doc()

  /** `state`: the document as the attacker knows it, so that its updates are nearly right. */
  constructor(seed: number, state: Uint8Array) {
    this.#chance = new Chance(seed)
    Y.applyUpdate(this.#ydoc, state)
  }

  /** A frame to send; a string goes out as a text frame. */
  next(): Uint8Array | string {
    const kind = this.below(20)
    if (kind === 0) return '{"type":"ping"}'
    if (kind === 1) return this.#bytes(this.below(64))
    if (kind === 2) return this.#bomb()
    const honest = this.#honest()
    return kind === 3 ? honest : this.#mutated(honest)
  }

  get client(): number {
    return this.#ydoc.clientID
  }

  below(bound: number): number {
    return this.#chance.below(bound)
  }

  #honest(): Uint8Array {
    switch (this.below(6)) {
      case 0:
        return step1Of(Y.encodeStateVector(this.#ydoc))
      case 1:
        return step2Of(Y.encodeStateAsUpdate(this.#ydoc))
      case 2:
        return awarenessOf([[this.#ydoc.clientID, this.below(1000), '{"user":{"name":"Eve"}}']])
      case 3:
        return Uint8Array.of(3)
      default:
        return updateOf(this.#typed())
    }
  }

  #typed(): Uint8Array {
    const before = Y.encodeStateVector(this.#ydoc)
    const texts = [...textsOf(this.#ydoc)]
    const text = texts[this.below(texts.length)]
    this.#ydoc.transact(() => {
      if (text === undefined || this.below(5) === 0) {
        const element = new Y.XmlElement(this.below(2) === 0 ? 'paragraph' : 'bullet_list')
        this.#ydoc.getXmlFragment(fragmentName).push([element])
      } else if (text.length > 4 && this.below(4) === 0) text.delete(this.below(3), 1)
      else if (this.below(4) === 0) text.format(0, text.length, { strong: {} })
      else text.insert(this.below(text.length + 1), 'eve')
    })
    return Y.encodeStateAsUpdate(this.#ydoc, before)
  }

  #mutated(frame: Uint8Array): Uint8Array {
    let bytes: Uint8Array = Uint8Array.from(frame)
    for (let left = 1 + this.below(3); left > 0; left--) bytes = this.#mutation(bytes)
    return bytes
  }

  #mutation(bytes: Uint8Array): Uint8Array {
    const at = this.below(bytes.length + 1)
    switch (this.below(7)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << this.below(8))
        return bytes
      case 1:
        return bytes.subarray(0, at)
      case 2:
        return joined(bytes, this.#bytes(1 + this.below(16)))
      case 3:
        return joined(bytes.subarray(0, at), this.#varint(), bytes.subarray(at))
      case 4:
        return joined(bytes.subarray(0, at), bytes.subarray(Math.min(at + 1, bytes.length)))
      case 5:
        bytes[0] = this.below(256)
        return bytes
      default:
        bytes[at] = 255
        return bytes
    }
  }

  /** Numbers that claim far more than is there. */
  #bomb(): Uint8Array {
    const inner = joined(...Array.from({ length: 1 + this.below(6) }, () => this.#varint()))
    switch (this.below(4)) {
      case 0:
        return frame([0, this.below(3)], inner)
      case 1:
        return frame([1], inner)
      case 2:
        return joined(Uint8Array.of(0, this.below(3)), this.#varint(), inner)
      default:
        return inner
    }
  }

  #varint(): Uint8Array {
    const encoder = encoding.createEncoder()
    const large = [2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 20, 255, 127, 8 * 1024 * 1024]
    encoding.writeVarUint(encoder, large[this.below(large.length)] ?? 0)
    return this.below(8) === 0 ? new Uint8Array(12).fill(255) : encoding.toUint8Array(encoder)
  }

  #bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}
