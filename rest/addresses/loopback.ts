/** What names this machine itself, as an address and as the host of a request. */

const ofV4 = /^127(?:\.\d{1,3}){3}$/

/** Of a socket: 127.0.0.0/8, also in IPv6 dress, and ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || ofV4.test(address.replace(/^::ffff:/i, ''))

/** A `Host` header: localhost, 127.0.0.0/8 or [::1], with any port or none. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d{1,5}$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || ofV4.test(name)
}
