/**
 * Addresses of links and images: which are allowed, and how an address and a title are written
 * behind a `](`. What is written reads back to the same characters.
 */
const reference = /&(?=(?:#x[a-f0-9]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,31});)/gi
const backslash = /\\(?=[!-/:-@[-`{-~]|$)/g
const autolinkAddress = /^[a-z][a-z0-9+.-]{1,31}:[^\s<>\\|]*$/i
const mailAddress =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/**
 * Whether an address may be linked to: http, https, mailto, or no scheme at all. Read as browsers
 * read it: they skip tabs and line ends anywhere, and controls and blanks in front.
 */
export function isSafeAddress(address: string): boolean {
  const read = address.replace(/[\t\n\r]/g, '').replace(/^[\p{Cc}\s]+/u, '')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]
  return scheme === undefined || /^(?:https?|mailto)$/i.test(scheme)
}

/** An address cannot hold a line end. */
export function flatAddress(address: string): string {
  return address.replace(/[\r\n]+/g, '')
}

/** Titles, alternative texts and code parameters: one line, single blanks, none at the ends. */
export function flatText(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Whether a link can be written `<address>`. */
export function isAutolink(text: string, href: string): boolean {
  if (href === text) return autolinkAddress.test(href) && isSafeAddress(href)
  return href === `mailto:${text}` && mailAddress.test(text) && !text.includes('|')
}

/** ` ` aside, what stands between `](` and `)`. */
export function linkTail(href: string, title: string): string {
  return title === '' ? destination(href) : `${destination(href)} ${quotedTitle(title)}`
}

function destination(href: string): string {
  if (href === '') return '<>'
  if (/[\s<>]|\p{Cc}/u.test(href)) {
    return `<${href.replace(/[<>\\]/g, '\\$&').replace(reference, '\\$&')}>`
  }
  const escaped = href.replace(backslash, '\\\\').replace(reference, '\\$&')
  return hasBalancedParentheses(href) ? escaped : escaped.replace(/[()]/g, '\\$&')
}

function hasBalancedParentheses(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === '(') depth++
    else if (char === ')') depth--
    if (depth < 0 || depth > 30) return false
  }
  return depth === 0
}

function quotedTitle(title: string): string {
  const escaped = title.replace(backslash, '\\\\').replace(/"/g, '\\"').replace(reference, '\\$&')
  return `"${escaped}"`
}
