/**
 * What an image's address is to this page: one of the service's own images, somebody else's, or
 * neither. Of the own host nothing but the images of documents is ever loaded, whatever the text
 * says: a request goes out with the reader's cookies. Needs no DOM.
 */

export type ImageAddress =
  | { readonly kind: 'own' | 'elsewhere'; readonly address: URL }
  | { readonly kind: 'none' }

const ownImage = /^\/docs\/[0-9a-z]+\/images\/[\w-]+$/
const none = { kind: 'none' } as const

/** As the page at `page` reads the address; relative ones too. */
export function imageAddress(src: string, page: string): ImageAddress {
  if (!URL.canParse(src, page)) return none
  const address = new URL(src, page)
  if (!/^https?:$/.test(address.protocol)) return none
  const own = new URL(page)
  if (hostOf(address) !== hostOf(own)) return { kind: 'elsewhere', address }
  const { origin, pathname, search, username, password } = address
  // Cookies know no port: another service of this host gets them as well.
  const isImage = origin === own.origin && ownImage.test(pathname) && search === ''
  return isImage && username + password === '' ? { kind: 'own', address } : none
}

/** A name with a dot behind it is the same host; all names of this machine are one. */
function hostOf({ hostname }: URL): string {
  const name = hostname.replace(/\.$/, '')
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f.*\])$/.test(
    name,
  )
    ? 'localhost'
    : name
}
