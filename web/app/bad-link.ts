/**
 * The service's word that the link somebody followed is no good (extensions §3), taken off the
 * address when the page starts, so that a reload or a bookmark does not repeat it.
 */
const address = new URL(location.href)

/** Whether this page was opened by a link that is not good, or not any more. */
export const cameByBadLink = address.searchParams.get('link') === 'invalid'

if (cameByBadLink) {
  address.searchParams.delete('link')
  history.replaceState(history.state, '', address)
}
