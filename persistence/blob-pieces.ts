/**
 * How a blob lies in its file: its content, then the SHA-256 of each piece of 64 KiB. The id is the
 * SHA-256 of the size and those hashes. So a part is verified without reading the rest, and neither
 * damage nor another blob's file is taken for it.
 */
import { createHash } from 'node:crypto'

export const pieceBytes = 64 * 1024
const hashBytes = 32

/** What names a blob by its content. */
export type BlobId = string & { readonly isBlobId: true }

export const isBlobId = (text: string): text is BlobId => /^[0-9a-f]{64}$/.test(text)

export const hashOfPiece = (piece: Uint8Array): Buffer =>
  createHash('sha256').update(piece).digest()

export const idOf = (size: number, hashes: Uint8Array): BlobId =>
  createHash('sha256').update(`${size}\n`).update(hashes).digest('hex') as BlobId

const piecesOf = (size: number): number => Math.ceil(size / pieceBytes)

/** The size of the content in a file of this size; `undefined`: no blob's file has this size. */
export function contentBytes(fileBytes: number): number | undefined {
  const size = fileBytes - hashBytes * Math.ceil(fileBytes / (pieceBytes + hashBytes))
  return size >= 0 && size + hashBytes * piecesOf(size) === fileBytes ? size : undefined
}

/** Where the hashes of a blob of this size lie in its file. */
export const hashesOf = (size: number): { readonly at: number; readonly bytes: number } => ({
  at: size,
  bytes: hashBytes * piecesOf(size),
})

/** Whether these bytes are the piece number `index`. */
export function isPiece(piece: Uint8Array, index: number, hashes: Uint8Array): boolean {
  const wanted = hashes.subarray(index * hashBytes, (index + 1) * hashBytes)
  return hashOfPiece(piece).equals(wanted)
}
