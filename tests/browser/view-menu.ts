/** The menus of the bar, as hands use them. */
import type { Locator, Page } from 'playwright-core'

export type BarMenu = 'View' | 'More'
export type View = 'Page' | 'Source' | 'Page and source'

const phonePx = 720

/** Opens a menu by the mouse; on a phone View's entries stand in the last one. */
export async function openMenu(page: Page, menu: BarMenu): Promise<Locator> {
  const isPhone = (page.viewportSize()?.width ?? phonePx) < phonePx
  const name = menu === 'View' && isPhone ? 'More' : menu
  // A click while one is closing would only close it.
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await page.getByRole('banner').getByRole('button', { name, exact: true }).click()
  const opened = page.getByRole('menu', { name, exact: true })
  await opened.waitFor()
  return opened
}

/** What is done, such as "Word count". */
export async function doFromMenu(page: Page, menu: BarMenu, entry: string): Promise<void> {
  await (await openMenu(page, menu)).getByRole('menuitem', { name: entry }).click()
}

/** Opens sharing by the mouse. */
export async function openShare(page: Page): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name: 'Share', exact: true }).click()
  const opened = page.getByRole('dialog', { name: /^Share / })
  await opened.waitFor()
  return opened
}

/** What stands at the dialog's foot, such as "Copy link". */
export async function doFromShare(page: Page, name: string): Promise<void> {
  await (await openShare(page)).getByRole('button', { name, exact: true }).click()
}

/** One of several, such as "Large" of "Text size". */
export async function chooseLook(page: Page, aspect: string, entry: string): Promise<void> {
  const group = (await openMenu(page, 'View')).getByRole('group', { name: aspect, exact: true })
  await group.getByRole('menuitemradio', { name: entry, exact: true }).click()
}

export const showAs = (page: Page, view: View): Promise<void> => chooseLook(page, 'Layout', view)

/** Shows who wrote what, or no longer; resolves with whether it is shown now. */
export async function toggleAuthors(page: Page): Promise<boolean> {
  const entry = (await openMenu(page, 'View')).getByRole('menuitemcheckbox', { name: 'Authors' })
  const wasShown = (await entry.getAttribute('aria-checked')) === 'true'
  await entry.click()
  return !wasShown
}
