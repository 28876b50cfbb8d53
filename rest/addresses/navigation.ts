/**
 * Whether a person goes to an address with this request, or a page loads it, or a browser does so
 * on suspicion (extensions §3). Secure pages' browsers say what they fetch for, and no script can
 * say it for them; over plain HTTP, but for loopback, they say nothing.
 */
import { Refusal } from '../../schema/errors.ts'

export interface Fetch {
  readonly method: string
  header(name: string): string | undefined
}

/**
 * For an address that changes what this browser may do: a page may load it as an image, a frame or
 * a script, but only a navigation counts. Whoever says nothing counts over plain HTTP alone, and
 * there a browser must show it by the one header that it sends when it navigates and never else.
 */
export function isNavigation({ method, header }: Fetch, baseUrl: string): boolean {
  if (method !== 'GET') return false
  const target = header('sec-fetch-dest')
  if (target !== undefined) return target === 'document'
  if (baseUrl.startsWith('https:')) return false
  return header('upgrade-insecure-requests') === '1' || !claimsToBeBrowser(header('user-agent'))
}

const claimsToBeBrowser = (agent: string | undefined): boolean => /\bMozilla\//.test(agent ?? '')

/** For an address that tells people and programs apart: only a person's browser says so. */
export function isPersonsNavigation({ method, header }: Fetch, baseUrl: string): boolean {
  if (method !== 'GET') return false
  const [mode, target] = [header('sec-fetch-mode'), header('sec-fetch-dest')]
  if (target !== undefined && target !== 'document') return false
  if (mode !== undefined || baseUrl.startsWith('https:')) return mode === 'navigate'
  return header('upgrade-insecure-requests') === '1'
}

/**
 * Refuses UNAVAILABLE to a browser that fetches ahead of its person: it forgets such an answer and
 * asks again when the person goes there.
 */
export function refusePrefetch({ header }: Pick<Fetch, 'header'>): void {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => header(name))
  if (!purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose ?? ''))) return
  throw new Refusal('UNAVAILABLE', { retry_after: 1 }, 'Prefetching is not supported here.')
}
