/**
 * Cuts an update down to what is fresh. Yjs looks up the neighbours even of structs it has, and may
 * split items for it, so nothing that is known already may reach it: a repeated struct with other
 * neighbours would change the service's copy and nobody else's.
 */
import * as encoding from 'lib0/encoding'
import type { FreshPart } from './integration.ts'
import type { ParsedUpdate, Struct } from './update-reader.ts'

/** The update itself when there is nothing to cut. */
export function trimUpdate(
  update: Uint8Array,
  parsed: ParsedUpdate,
  fresh: { readonly parts: readonly FreshPart[]; readonly deletes: boolean },
): Uint8Array {
  const whole =
    fresh.parts.length === parsed.sections.length &&
    fresh.deletes === parsed.deleted.length > 0 &&
    fresh.parts.every(isWhole)
  if (whole) return update
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, fresh.parts.length)
  for (const part of fresh.parts) writePart(encoder, update, part)
  if (fresh.deletes) encoding.writeUint8Array(encoder, update.subarray(parsed.deletedFrom))
  else encoding.writeVarUint(encoder, 0)
  return encoding.toUint8Array(encoder)
}

const isWhole = ({ section, first, last, from }: FreshPart): boolean =>
  first === 0 && last === section.structs.length && from === section.structs[0]?.clock

function writePart(encoder: encoding.Encoder, update: Uint8Array, part: FreshPart): void {
  const { section, first, last, from } = part
  const structs = section.structs
    .slice(first, last)
    .filter(({ content }) => content.kind !== 'skip')
  encoding.writeVarUint(encoder, structs.length)
  encoding.writeVarUint(encoder, section.client)
  encoding.writeVarUint(encoder, from)
  for (const struct of structs) {
    if (struct.clock >= from) {
      encoding.writeUint8Array(encoder, update.subarray(struct.from, struct.to))
    } else writeRest(encoder, update, { struct, client: section.client, from })
  }
}

/**
 * The part of a struct from clock `from` on, as Yjs writes it: its left neighbour is the part
 * before.
 */
function writeRest(
  encoder: encoding.Encoder,
  update: Uint8Array,
  { struct, client, from }: { struct: Struct; client: number; from: number },
): void {
  const { content, rightOrigin } = struct
  const offset = from - struct.clock
  if (content.kind === 'gc') {
    encoding.writeUint8(encoder, 0)
    encoding.writeVarUint(encoder, struct.length - offset)
    return
  }
  const ref = content.kind === 'deleted' ? 1 : content.kind === 'string' ? 4 : 8
  encoding.writeUint8(encoder, ref | 0x80 | (rightOrigin === undefined ? 0 : 0x40))
  encoding.writeVarUint(encoder, client)
  encoding.writeVarUint(encoder, from - 1)
  if (rightOrigin !== undefined) {
    encoding.writeVarUint(encoder, rightOrigin.client)
    encoding.writeVarUint(encoder, rightOrigin.clock)
  }
  if (content.kind === 'string') {
    encoding.writeVarString(encoder, content.chars.slice(offset))
    return
  }
  encoding.writeVarUint(encoder, struct.length - offset)
  if (content.kind !== 'values') return
  encoding.writeUint8Array(encoder, update.subarray(content.at[offset], struct.to))
}
