/**
 * Under which path the service is reached, where a proxy in front strips one (extensions §1). What
 * the service answers, and what stands in texts, is relative to it; addresses that the browser goes
 * to begin with it. Empty where there is none.
 */
export const base = globalThis.document?.documentElement?.dataset['base'] ?? ''

/** The address in this browser of a path of the service. */
export const under = (path: string): string => `${base}${path}`

/** The same with its origin. */
export const absolute = (path: string): string => `${location.origin}${base}${path}`

/** The path of the service that this page is at. */
export const pathHere = (): string => location.pathname.slice(base.length)
