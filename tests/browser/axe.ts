/** What axe-core finds on a page. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What fades is for a moment too pale to be read: whatever moves comes to rest first. */
export async function comesToRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .every(({ playState }) => playState !== 'running'),
  )
}

/** Of what it calls less than moderate, or does not look for unless told to. */
const alsoRules = [
  'label-content-name-mismatch',
  'scrollable-region-focusable',
  'heading-order',
  'page-has-heading-one',
  'empty-heading',
  'landmark-one-main',
]

/** In the page. The caret goes into what scrolls in a text that can be written. */
const inPage = (options: string): string => `axe.run(${options}).then(({ violations }) => violations
  .map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes
      .filter(({ element }) => id !== 'scrollable-region-focusable' ||
        element.closest('.text[contenteditable="true"]') === null)
      .map(({ html }) => ({ html })),
  }))
  .filter(({ nodes }) => nodes.length > 0))`

/**
 * What it calls moderate, serious or critical, and what breaks the rules above. The page's policy lets no
 * script in: axe is evaluated.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  await comesToRest(page)
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(await readFile(axePath, 'utf8'))
  const rules = Object.fromEntries(alsoRules.map((rule) => [rule, { enabled: true }]))
  const options = JSON.stringify({ rules, elementRef: true })
  const violations = (await page.evaluate(inPage(options))) as Violation[]
  return violations
    .filter(({ id, impact }) => /moderate|serious|critical/.test(impact) || alsoRules.includes(id))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
