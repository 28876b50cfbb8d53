/**
 * Takes out of a style sheet what would fetch another one or a font: `@import`, and `@font-face`
 * with an address that is no data. Only for order: what is written to get by is stopped by the
 * policy that an artifact is served under.
 */

/** A comment stands where something was, so that what stood around it does not come together. */
const instead = '/**/'

export function withoutFetches(css: string): string {
  const lower = css.toLowerCase()
  let kept = ''
  let from = 0
  for (let at = lower.indexOf('@'); at >= 0; at = lower.indexOf('@', at + 1)) {
    const isImport = lower.startsWith('@import', at)
    const isFont = lower.startsWith('@font-face', at)
    if (!isImport && !isFont) continue
    const end = endOf(css, at, isImport ? ';' : '}')
    if (isImport || fetches(lower.slice(at, end))) {
      kept += css.slice(from, at) + instead
      from = end
    }
    at = end - 1
  }
  return kept + css.slice(from)
}

const fetches = (rule: string): boolean => /url\((?!\s*(?:["']\s*)?data:)/.test(rule)

/** Behind the rule that ends with `last`, strings and comments passed over. */
function endOf(css: string, start: number, last: string): number {
  for (let at = start; at < css.length; at++) {
    const here = css[at]
    if (here === last) return at + 1
    if (here === '"' || here === "'") at = css.indexOf(here, at + 1)
    else if (css.startsWith('/*', at)) at = css.indexOf('*/', at + 2)
    if (at < 0) return css.length
  }
  return css.length
}
