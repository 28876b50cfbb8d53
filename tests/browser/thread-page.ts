/** What tests of the discussion look for on a page, and do there. */
import type { Page } from 'playwright-core'

/** Selects these words of the text, as a person does by double clicks and arrows. */
export async function selects(page: Page, words: string): Promise<void> {
  await page.locator('.text').focus()
  await page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.querySelector('.text') as Node, 4)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = (node.nodeValue ?? '').indexOf(wanted)
      if (at < 0) continue
      getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length)
      return
    }
  }, words)
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
}

/** The lit words, once they are these. */
export async function highlighted(page: Page, words: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify([...document.querySelectorAll('.text .about')].map((e) => e.textContent)) ===
      JSON.stringify(wanted),
    words,
  )
}

export const card = (page: Page, words: string) => page.locator('.talk-card', { hasText: words })

export async function told(page: Page, words: string): Promise<void> {
  await page.locator('.notices').getByText(words).waitFor()
}
