/** The live document over HTTP (extensions §5). */
import { callIfChanged } from '../api/http.ts'
import type { Hello } from './event-socket.ts'

export interface LiveState {
  readonly hello: Hello
  readonly update: Uint8Array
  readonly tag: string
}

/** A longer address may be refused on the way; then all of the document comes. */
const haveMaxChars = 8_000

/**
 * What is missing in a copy with the state vector `have`; `undefined`: nothing has changed since
 * the answer that had this tag.
 */
export async function readLiveState(
  slug: string,
  { have, tag }: { readonly have: Uint8Array; readonly tag: string },
): Promise<LiveState | undefined> {
  const vector = toBase64url(have)
  const query = { have: vector.length > haveMaxChars ? undefined : vector }
  const fields = ['epoch', 'revision', 'role', 'schema', 'update'] as const
  const answer = await callIfChanged('GET /docs/:slug/live/state', fields, { slug, query, tag })
  if (answer === undefined) return undefined
  const { update, ...hello } = answer.body
  return { hello, update: fromBase64(update), tag: answer.tag }
}

const toBase64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
