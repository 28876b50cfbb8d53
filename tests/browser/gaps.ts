/** The room between what stands in a row on the page. */
import type { Page } from 'playwright-core'

/** Pixels between four of these elements, the third of which has these words. */
export const gapsAround = (page: Page, selector: string, words: string): Promise<number[]> =>
  page.evaluate(
    ([selector = '', words]) => {
      const all = [...document.querySelectorAll<HTMLElement>(selector)]
      const at = all.findIndex(({ textContent }) => textContent === words)
      const boxes = all.slice(at - 2, at + 2).map((element) => element.getBoundingClientRect())
      return boxes.slice(1).map(({ top }, index) => top - (boxes[index]?.bottom ?? 0))
    },
    [selector, words],
  )
