/**
 * Reads the content of one item and refuses what no place in a document can hold: other kinds than
 * characters, marks, nodes, texts and attributes, names and mark values that are not of the schema,
 * attribute values that nest. Whether the item's place may hold it is not known here.
 */
import * as decoding from 'lib0/decoding'
import {
  isMarkName,
  isMarkValue,
  isNodeName,
  markValueMaxBytes,
  type Primitive,
} from './content-rules.ts'
import { malformed, readByte, readCount, readLength } from './numbers.ts'
import { Unfit } from './unfit.ts'

export type Content =
  | { readonly kind: 'gc' | 'skip' | 'deleted' | 'text' }
  /** `printedBytes`: what of its value the text shows, about. */
  | { readonly kind: 'format'; readonly printedBytes: number }
  | { readonly kind: 'string'; readonly chars: string }
  | { readonly kind: 'element'; readonly name: string }
  | {
      readonly kind: 'values'
      readonly values: readonly Primitive[]
      readonly at: readonly number[]
    }

/** A value as lib0 writes it; only primitives, so that nothing nests. */
function readPrimitive(decoder: decoding.Decoder): Primitive {
  switch (readByte(decoder)) {
    case 126:
      return null
    case 125:
      if (decoder.pos === decoder.arr.length) malformed('it ends early')
      return decoding.readVarInt(decoder)
    case 124:
      return decoding.readFloat32(decoder)
    case 123:
      return decoding.readFloat64(decoder)
    case 121:
      return false
    case 120:
      return true
    case 119:
      return decoding.readVarString(decoder)
    default:
      throw new Unfit(4403, 'an attribute value is not a primitive')
  }
}

function readValues(decoder: decoding.Decoder): Content {
  const values: Primitive[] = []
  const at: number[] = []
  for (let left = readCount(decoder, 1); left > 0; left--) {
    at.push(decoder.pos)
    values.push(readPrimitive(decoder))
  }
  return { kind: 'values', values, at }
}

const authored: Content = { kind: 'format', printedBytes: 0 }

function readFormat(decoder: decoding.Decoder): Content {
  const mark = decoding.readVarString(decoder)
  if (!isMarkName(mark)) throw new Unfit(4403, 'a mark is not of the schema')
  const length = decoding.peekVarUint(decoder)
  if (length > markValueMaxBytes) throw new Unfit(4413, 'a mark value is too long')
  const value: unknown = JSON.parse(decoding.readVarString(decoder))
  if (!isMarkValue(mark, value)) throw new Unfit(4403, 'a mark value is not of the schema')
  return mark === 'authored' ? authored : { kind: 'format', printedBytes: length }
}

const text: Content = { kind: 'text' }

function readType(decoder: decoding.Decoder): Content {
  switch (decoding.readVarUint(decoder)) {
    case 3: {
      const name = decoding.readVarString(decoder)
      if (!isNodeName(name)) throw new Unfit(4403, 'a node is not of the schema')
      return { kind: 'element', name }
    }
    case 6:
      return text
    default:
      throw new Unfit(4403, 'a shared type is neither an XML element nor an XML text')
  }
}

const deleted: Content = { kind: 'deleted' }

/** The content and its length in clocks. */
export function readContent(decoder: decoding.Decoder, ref: number): [Content, number] {
  switch (ref) {
    case 1:
      return [deleted, readLength(decoder)]
    case 4: {
      const chars = decoding.readVarString(decoder)
      return [{ kind: 'string', chars }, chars.length]
    }
    case 6:
      return [readFormat(decoder), 1]
    case 7:
      return [readType(decoder), 1]
    case 8: {
      const content = readValues(decoder)
      return [content, content.kind === 'values' ? content.values.length : 0]
    }
    default:
      throw new Unfit(4403, 'a kind of content is not of this document')
  }
}
