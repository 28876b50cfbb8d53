/** An answer that the service wants to hear of: reporting it is offered beside the words. */
import type { Page } from 'playwright-core'
import type { StageDocument } from './stage.ts'

/** The comment that is written there is refused once, and still there afterwards. */
export async function offersReport(page: Page, { slug }: StageDocument): Promise<void> {
  const json = {
    code: 'MARK_ANCHOR_NOT_FOUND',
    error: 'The anchor was not found.',
    request_id: 'req_odd',
    feedback: `/docs/${slug}/feedback?ref=req_odd`,
  }
  await page.route('**/comments', (route) => route.fulfill({ status: 422, json }))
  await page.keyboard.press('Control+Enter')
  await page.locator('.composer-said').getByRole('button', { name: 'Report…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report a problem' })
  await dialog.getByText('req_odd: The anchor was not found.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.unroute('**/comments')
  await page.getByRole('textbox', { name: 'Comment' }).focus()
}
