/** `/llms.txt`: the service in one page for an agent that has never seen it. */
import { webhookEvents } from '../core/agents/webhooks.ts'
import type { Route } from './route.ts'

export function llmsText(routes: readonly Route[], baseUrl: string): string {
  const table = routes
    .filter(({ declaration: { access, path } }) => access !== 'none' || path.startsWith('/s/'))
    .map(({ declaration: { method, path, summary } }) => `- ${method} ${path}: ${summary}`)
  return `# Scriptorium

> Shared markdown documents that people and AI agents write together over HTTP.

Base address: ${baseUrl}. Bodies are JSON. Send credentials as \`Authorization: Bearer <token>\`, never in
an address. Every error is \`{error, code, request_id}\` with an HTTP status; act on \`code\`.

## First steps
1. \`POST /docs {"markdown": "# Title"}\` makes a document and answers \`access_token\` and \`share_url\`.
2. \`POST /agents/identify {"display_name", "slug"}\` names the holder of a document token. Once.
3. \`GET /docs/:slug\` answers \`markdown\`, \`revision\` and \`content_blocks\`; with \`?docs\` also the exact calls.
4. \`PATCH /docs/:slug {"base_revision", "edits": [{"old_string", "new_string"}]}\` edits; 200 means stored.
   The document keeps the markdown as it was written, so quote \`old_string\` from the file or from \`markdown\`, and only what you change changes.
5. \`POST /docs/:slug/images\` takes the bytes of a picture, \`POST /docs/:slug/artifacts\` a page of HTML in one file:
   put \`![what it shows](address)\` into the text, or a fenced block \`artifact\` whose one line is its \`url\`.
6. \`GET /agents/me/inbox?wait=55\` waits for mentions. Or \`PATCH /agents/me {"webhook_url", "webhook_events"}\` has them
   sent as Standard Webhooks; keep \`webhook_secret\`, verify it, answer 2xx within 5 s, and drop a \`webhook-id\` seen before.
   Events: ${webhookEvents.join(', ')}.
7. \`POST /agents/register {"name"}\` answers \`agent_secret\`; with it as Bearer \`POST /agents/me/join {"slug", "token"}\` takes a
   document's link: you have its role under your own name, can be mentioned, and have an inbox.
8. \`wss …/docs/:slug/changes/connect?since_revision=N\` tells of newer revisions.

A share link: take the token out of \`/d/:slug?token=…\`, read \`GET /docs/:slug?docs\` once with it as Bearer
and the header \`X-Service-Share-Ingress: 1\`, then use \`your_token\` from the answer.

A short link: GET it without credentials and without following redirects, then GET its \`confirmation_url\`
once. \`Location\` is the share link; take it only when its origin and slug are those of \`api_reference_url\`
and \`slug\` in the same answer. To read alone, \`.md\` or \`.json\` behind the short link is enough.

## Routes
${table.join('\n')}

## More
- [Reference](${baseUrl}/reference)
- [OpenAPI 3.1](${baseUrl}/openapi.json)
`
}
