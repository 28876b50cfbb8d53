/**
 * What an image's address is to this page: one of the service's own images, somebody else's, or
 * neither. Of the own host nothing but the images of documents is ever loaded, whatever the text
 * says: a request goes out with the reader's cookies. Needs no DOM.
 */

export type ImageAddress =
  | {
      readonly kind: 'own'
      readonly address: URL
      /** It names another host: unless the service has such an image, it is that host's. */
      readonly elsewhere?: URL
    }
  | { readonly kind: 'elsewhere'; readonly address: URL }
  | { readonly kind: 'none' }

/** Its path tells an own image, whatever host and prefix the service had when it was written. */
const ownImage = /\/docs\/[0-9a-z]+\/images\/[\w-]+$/
/** Of another origin nothing less is taken for one. */
const movedImage = /\/docs\/[0-9a-z]{20}\/images\/img_[0-9a-z]{20}$/
const none = { kind: 'none' } as const

/** As the page at `page` reads the address; relative ones too. `base`: the path of the service. */
export function imageAddress(src: string, page: string, base = ''): ImageAddress {
  if (!URL.canParse(src, page)) return none
  const address = new URL(src, page)
  if (!/^https?:$/.test(address.protocol)) return none
  const own = new URL(page)
  const { origin, pathname, search, username, password } = address
  const isPlain = search === '' && username + password === ''
  const isElsewhere = hostOf(address) !== hostOf(own)
  // Cookies know no port: another service of this host gets them as well.
  const pattern = origin === own.origin ? ownImage : movedImage
  const [path] = (isPlain && pattern.exec(pathname)) || []
  // It is asked for here, wherever it says that it is.
  if (path !== undefined) {
    const present = new URL(`${base}${path}`, own)
    return { kind: 'own', address: present, ...(isElsewhere && { elsewhere: address }) }
  }
  return isElsewhere ? { kind: 'elsewhere', address } : none
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
