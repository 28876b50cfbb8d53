/**
 * What a closed socket means for the page (extensions §5). Codes below 4400 and above 4499 are not
 * here: the provider comes back from them by itself.
 */
import { ApiError, call } from '../api/http.ts'
import type { LostBecause } from './lost-text.ts'
import type { EndedBecause } from './save-state.ts'

export type CloseOutcome =
  /** The copy is put away for a fresh one; what the service has not got is kept as text. */
  | { readonly kind: 'replace'; readonly because: LostBecause }
  /** On another socket, as whoever this browser is by now. */
  | { readonly kind: 'come back' }
  | { readonly kind: 'end'; readonly because: EndedBecause }

export function closeOutcomeOf(code: number, reason: string): CloseOutcome {
  switch (code) {
    case 4401:
    case 4412:
      return { kind: 'come back' }
    case 4404:
      return { kind: 'end', because: 'deleted' }
    case 4409:
      return { kind: 'replace', because: 'restored' }
    case 4413:
      return { kind: 'replace', because: 'too-large' }
    case 4423:
      return { kind: 'end', because: 'archived' }
    case 4426:
      return { kind: 'end', because: 'reload' }
    default:
      // What may be done is less now, but the copy is as good as it was.
      if (reason === 'role lost') return { kind: 'come back' }
      return { kind: 'replace', because: reason === 'DOC_READ_ONLY' ? 'locked' : 'refused' }
  }
}

const endedByStatus: Readonly<Record<number, EndedBecause>> = {
  401: 'no-access',
  403: 'no-access',
  404: 'deleted',
  423: 'archived',
}

/**
 * Why no socket opened, which a browser does not tell its page: the same address is asked in plain
 * HTTP, and, since that takes a credential, reading itself, which may take none. `undefined`:
 * nothing that lasts, as when the service cannot be reached.
 */
export async function whyNotOpened(slug: string): Promise<EndedBecause | 'sign-in' | undefined> {
  const because = await refusalOf(call('GET /docs/:slug/live', [], { slug }))
  if (because === undefined) return refusalOfOrigin()
  return because === 'no-access'
    ? refusalOf(call('GET /docs/:slug', [], { slug, isHead: true }))
    : because
}

/** Afterwards sockets of this page are taken for its own, where the browser says that they are. */
async function refusalOfOrigin(): Promise<EndedBecause | undefined> {
  try {
    await call('POST /auth/origin', [])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.body['setting'] === 'BASE_URL') return 'address'
  }
  return undefined
}

async function refusalOf(asking: Promise<unknown>): Promise<EndedBecause | 'sign-in' | undefined> {
  try {
    await asking
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'SIGN_IN_ENDED' ? 'sign-in' : endedByStatus[error.status]
  }
  return undefined
}
