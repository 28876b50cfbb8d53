/**
 * The secret of an address that the operator handed out. It is behind the #, which no request
 * carries; the page takes it out of the address at once, so that it is in no history and nobody
 * reads it over a shoulder, and keeps it in memory alone.
 */

/** `undefined`: the address has none, as after a reload. */
export function takeResetSecret(): string | undefined {
  const secret = location.hash.slice(1)
  if (secret === '') return undefined
  history.replaceState(history.state, '', location.pathname)
  return secret
}
