/**
 * A real Chromium for the tests of the page. The binary comes with an npm package; its arguments
 * are ours, since the package's own switch off web security, which these tests are about.
 */
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
]

/** Close it in `after`; each page of its own context is a person of their own. */
export async function startChromium(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args,
    headless: true,
  })
}
