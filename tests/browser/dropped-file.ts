/** Files that a person drops on the text. */
import type { Page } from 'playwright-core'

/** As a file from the desk, let go over these words. */
export async function dropFile(
  page: Page,
  words: string,
  { name, bytes }: { readonly name: string; readonly bytes: readonly number[] },
): Promise<void> {
  const box = await page.locator('.text').getByText(words).boundingBox()
  if (box === null) throw new Error(`${words} is not to be seen`)
  await page.evaluate(
    ({ x, y, name, bytes }) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], name, { type: '' }))
      const event = { clientX: x, clientY: y, dataTransfer: data, bubbles: true, cancelable: true }
      document.elementFromPoint(x, y)?.dispatchEvent(new DragEvent('drop', event))
    },
    { x: box.x + 4, y: box.y + box.height - 2, name, bytes },
  )
}
