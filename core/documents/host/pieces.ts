/**
 * Joins what an answer has in pieces, so that a message carries one buffer and not hundreds, and
 * that buffer can be moved: cloning costs by the buffer and by the byte. Changes nothing else.
 */
import type { PatchOutcome, ViewData } from '../contract.ts'

type InPieces = Pick<
  ViewData & PatchOutcome,
  'markdownJson' | 'contentBlocksJson' | 'quotedBlocksJson' | 'authorshipJson'
>

const fields = [
  'markdownJson',
  'contentBlocksJson',
  'quotedBlocksJson',
  'authorshipJson',
] as const satisfies readonly (keyof InPieces)[]

/** The same answer; of a PATCH, the outcome in it. The joined buffers are added to `made`. */
export function inOnePiece(answer: unknown, made: ArrayBuffer[]): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  if ('outcome' in answer) return { ...answer, outcome: inOnePiece(answer.outcome, made) }
  const parts = answer as Partial<InPieces>
  const joined = fields.flatMap((field) => {
    const pieces = parts[field]
    return pieces === undefined ? [] : [[field, [join(pieces, made)]] as const]
  })
  return joined.length === 0 ? answer : { ...answer, ...Object.fromEntries(joined) }
}

function join(pieces: readonly Uint8Array[], made: ArrayBuffer[]): Uint8Array {
  const buffer = new ArrayBuffer(pieces.reduce((sum, { length }) => sum + length, 0))
  const bytes = new Uint8Array(buffer)
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
  }
  made.push(buffer)
  return bytes
}
