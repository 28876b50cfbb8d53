/**
 * What a short link's confirmation address shows to a browser: one button, whose POST spends it.
 * Scanners of links open addresses with a browser's name, and press no button.
 */
import type { Fetch } from '../addresses/navigation.ts'
import { type Answer, textOf } from '../answers/answer.ts'

export const confirmationPageType = 'text/html; charset=utf-8'

/** Whether a person goes there: the browser says so, or asks for HTML before anything else. */
export function asksForPage({ method, header }: Fetch): boolean {
  if (method !== 'GET') return false
  return header('sec-fetch-mode') === 'navigate' || prefersHtml(header('accept') ?? '')
}

/** `Accept` gives `text/html` a higher quality than what it gives to anything. */
export function prefersHtml(accept: string): boolean {
  const qualities = new Map<string, number>()
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    qualities.set(type, quality === undefined ? 1 : Number(quality))
  }
  const html = qualities.get('text/html') ?? qualities.get('text/*') ?? 0
  return html > (qualities.get('*/*') ?? 0)
}

/** `origin`: where the POST leads to. A relative form action, whatever prefix a proxy strips. */
export const confirmationPage = (origin: string): Answer<never> =>
  shown(
    '<p>Someone shared a document with you.</p>\n' +
      '<form method="post"><button autofocus>Open the document</button></form>',
    { status: 200, origin },
  )

export const spentPage = (origin: string): Answer<never> =>
  shown('<p>This link was already used or has expired. Open the original link again.</p>', {
    status: 410,
    origin,
  })

function shown(
  body: string,
  { status, origin }: { readonly status: number; readonly origin: string },
): Answer<never> {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Shared document</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem }
body { margin: 20vh auto; padding: 0 1rem }
button { font: inherit; padding: 0.5rem 1rem }
:root { color-scheme: light dark }
</style></head>
<body>
${body}
</body></html>
`
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; " +
    `form-action 'self' ${origin}`
  const headers = { 'Content-Security-Policy': policy, 'X-Robots-Tag': 'noindex, nofollow' }
  return { ...textOf(html, confirmationPageType, headers), status }
}
