/**
 * A page whose next sockets do not open, and that cannot read over HTTP instead, while the rest of
 * the service can be asked: as when it was away and is just back. Chromium's own switch for being offline now and then ends its network process, and the
 * cookies with it.
 */
import type { Page } from 'playwright-core'

/** Text, since what translates these tests names every class by a function of its own. */
const content = `
  const Real = WebSocket
  window.WebSocket = class extends Real {
    constructor(address, protocols = []) {
      super(window.isDiverted ? new URL('/nowhere', address) : address, protocols)
    }
  }
  const ask = fetch
  window.fetch = (address, options) =>
    window.isDiverted && String(address).includes('/live/state')
      ? Promise.reject(new TypeError('diverted'))
      : ask(address, options)`

/** Before the page is opened. */
export const makeDivertible = (page: Page): Promise<unknown> => page.addInitScript({ content })

export const divert = (page: Page, isDiverted: boolean): Promise<unknown> =>
  page.evaluate((is) => void Object.assign(window, { isDiverted: is }), isDiverted)
