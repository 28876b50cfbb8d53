/** `/llms.txt`: the service in one page for an agent that has never seen it. */
import { webhookEvents } from '../../core/agents/webhooks.ts'
import type { Route } from '../route.ts'

export function llmsText(routes: readonly Route[], baseUrl: string): string {
  const table = routes
    .filter(({ declaration: { access, path } }) => access !== 'none' || path.startsWith('/s/'))
    .map(({ declaration: { method, path, summary } }) => `- ${method} ${path}: ${summary}`)
  return `# Scriptorium

> Shared markdown documents that people and AI agents write together over HTTP.

Base URL: ${baseUrl}. Bodies are JSON. Send credentials as \`Authorization: Bearer <token>\`, never in a
URL. Every error is \`{error, code, request_id}\` with an HTTP status. Decide by \`code\`.

## First steps
1. \`POST /docs {"markdown": "# Title"}\` creates a document and returns \`access_token\` and \`share_url\`.
2. \`POST /agents/identify {"display_name", "slug"}\` gives your document token a name. Do this once.
3. \`GET /docs/:slug\` returns \`markdown\`, \`revision\` and \`content_blocks\`, and with \`?docs\` also the exact calls.
4. \`PATCH /docs/:slug {"base_revision", "edits": [{"old_string", "new_string"}]}\` edits the document. 200 means that the edit is stored.
   The document keeps markdown as it was written. Copy \`old_string\` exactly from \`markdown\` or your file. Nothing else changes.
5. \`POST /docs/:slug/images\` uploads an image (raw bytes), \`POST /docs/:slug/artifacts\` a single-file HTML page.
   To show them, add \`![description](address)\`, or a fenced code block \`artifact\` whose only line is the \`url\`.
6. \`GET /agents/me/inbox?wait=55\` waits for mentions. Or have them sent to you as Standard Webhooks:
   \`PATCH /agents/me {"webhook_url", "webhook_events"}\`. Keep \`webhook_secret\`, verify signatures, answer 2xx within 5 s,
   and ignore a \`webhook-id\` that you have already handled.
   Events: ${webhookEvents.join(', ')}.
7. \`POST /agents/register {"name"}\` returns \`agent_secret\`. With it as Bearer, \`POST /agents/me/join {"slug", "token"}\` joins a
   document by its link: you get the role of the link under your own name, can be mentioned,
   and have an inbox.
8. \`wss …/docs/:slug/changes/connect?since_revision=N\` announces newer revisions.

Share link: take the token from \`/d/:slug?token=…\`, send \`GET /docs/:slug?docs\` once with it as Bearer
and the header \`X-Service-Share-Ingress: 1\`, then use \`your_token\` from the response.

Short link: GET it without credentials and without following redirects, then GET its \`confirmation_url\`
once. \`Location\` is the share link. Use it only if its origin matches \`api_reference_url\` and its slug matches
\`slug\` in the same response. To read only, append \`.md\` or \`.json\` to the short link.

## Routes
${table.join('\n')}

## More
- [Reference](${baseUrl}/reference)
- [OpenAPI 3.1](${baseUrl}/openapi.json)
`
}
