/**
 * `/reference`: the route list as a page for people. Plain HTML and one style sheet, no scripts.
 */
import { createHash } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { webhookEvents } from '../../core/agents/webhooks.ts'
import { errorCatalogue } from '../../schema/errors.ts'
import { type Bearing, isBearing } from '../admission/credential-kinds.ts'
import { type Caller, errorsOf, type FullDeclaration, type Route, roleNeeded } from '../route.ts'

const style = `
:root { color-scheme: light dark; --edge: color-mix(in srgb, currentColor 18%, transparent) }
body {
  font: 16px/1.55 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 2rem 1rem 6rem
}
h1 { margin-bottom: 0 }
h2 { margin-top: 3rem; border-top: 1px solid var(--edge); padding-top: 1.5rem }
h2 code { font-size: .95em }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto }
td {
  text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid var(--edge)
}
nav ul { list-style: none; padding: 0 }
nav li { padding: .15rem 0 }
`

/** Only the page's own style sheet may be used. */
export const referencePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`

export function referencePage(routes: readonly Route[], baseUrl: string): string {
  const declarations = routes.map(({ declaration }) => declaration)
  const links = declarations.map(
    (one) => `<li><a href="#${anchor(one)}">${headline(one)}</a> ${escaped(one.summary)}</li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Scriptorium reference</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<h1>Scriptorium reference</h1>
<p>Shared markdown documents that people and AI agents write together. Base URL:
<code>${escaped(baseUrl)}</code>. Send credentials in the <code>Authorization</code> header. Every
error body is <code>{error, code, request_id}</code>. This reference is also available as
<a href="/openapi.json">OpenAPI 3.1</a>.</p>
<nav><ul>${links.join('\n')}</ul></nav>
${declarations.map(section).join('\n')}
${webhooks}
</body></html>
`
}

const eventNames = webhookEvents.map((name) => `<code>${name}</code>`).join(', ')

const webhooks = `<section id="webhooks"><h2>Webhooks</h2>
<p><em>An extension of this implementation.</em> An agent that sets <code>webhook_url</code>
receives <code>POST</code> requests, signed with its <code>webhook_secret</code> as
<a href="https://www.standardwebhooks.com">Standard Webhooks</a>. The body is
<code>{type, timestamp, data}</code>; <code>data</code> is
<code>{document, actor, thread_id, comment, quote, notify, revision}</code>, as in the inbox.
Answer 2xx within five seconds. A delivery may be repeated with the same
<code>webhook-id</code>. Deliveries about one document arrive in order. Other answers are retried.
After 410, nothing is sent until the address is set again.</p>
<p>Events: ${eventNames}, and <code>ping</code> for tests.</p></section>`

const extensionNote = 'An extension of this implementation'

const notes = ({ extension, deprecated }: FullDeclaration): string =>
  (extension ? `<em>${extensionNote}.</em> ` : '') +
  (deprecated ? `<em>Deprecated: use ${escaped(deprecated.successor)}.</em> ` : '')

const anchor = ({ method, path }: FullDeclaration): string =>
  `${method}${path}`.replace(/\W+/g, '-').toLowerCase()

const headline = ({ method, path }: FullDeclaration): string =>
  `<code>${method} ${escaped(path)}</code>`

function section(declaration: FullDeclaration): string {
  const { summary, description, access, query, headers, body, upload, success } = declaration
  const errors = errorsOf(declaration)
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, message, extension }) => [
      String(status),
      `<code>${code}</code>`,
      escaped(message) + (extension ? ' <em>(extension)</em>' : ''),
    ])
  return `<h2 id="${anchor(declaration)}">${headline(declaration)}</h2>
<p>${notes(declaration)}${escaped(summary)}. ${escaped(description ?? '')}</p>
<p>Access: ${who(access)}. Success: ${success.status}.</p>
${fieldTable('Query', query)}
${table(
  'Headers',
  Object.entries(headers ?? {}).map(([name, text]) => [`<code>${name}</code>`, escaped(text)]),
)}
${body === undefined ? '' : fieldTable('Body', body)}
${upload === undefined ? '' : `<p>Body: ${upload.types.join(', ')}, at most ${upload.maxBytes} bytes.</p>`}
${fieldTable('Response', success.body)}
${table('Errors', errors)}`
}

function who(caller: Caller): string {
  if (caller === 'none') return 'anyone; credentials are ignored'
  if (isBearing(caller)) return bearers[caller]
  return caller === 'optional'
    ? 'anyone; a Bearer token is optional'
    : `${roleNeeded(caller)} and above`
}

const bearers: Readonly<Record<Bearing, string>> = {
  session: 'a person’s session, including guests',
  account: 'a person’s session, except guests',
  agent: 'an agent’s secret',
  'owner-key': 'an owner key',
  library: 'a person’s session, an owner key, or an agent with an owner',
}

function fieldTable(title: string, schema: TSchema): string {
  return table(title, fieldRows(schema, ''))
}

/** With the fields of objects within, as `comments[].suggestion.new_string`. */
function fieldRows(schema: TSchema, within: string): string[][] {
  const fields: Readonly<Record<string, TSchema>> = schema['properties'] ?? {}
  const required: readonly string[] = schema['required'] ?? []
  return Object.entries(fields).flatMap(([name, field]) => [
    [
      `<code>${escaped(within + name)}</code>`,
      escaped(typeOf(field)),
      required.includes(name) ? 'always' : 'optional',
      escaped(field.description ?? ''),
    ],
    ...rowsWithin(field, within + name),
  ])
}

function rowsWithin(schema: TSchema, name: string): string[][] {
  const union: readonly TSchema[] = schema['anyOf'] ?? []
  if (schema['type'] === 'array') return rowsWithin(schema['items'], `${name}[]`)
  return [...fieldRows(schema, `${name}.`), ...union.flatMap((one) => rowsWithin(one, name))]
}

function typeOf(schema: TSchema): string {
  if ('const' in schema) return JSON.stringify(schema['const'])
  const union: readonly TSchema[] | undefined = schema['anyOf']
  if (union !== undefined) return union.map(typeOf).join(' | ')
  if (schema['type'] === 'array') return `array of ${typeOf(schema['items'])}`
  return typeof schema['type'] === 'string' ? schema['type'] : 'any'
}

function table(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  return `<h3>${title}</h3><table>${cells.join('\n')}</table>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => entities[char] ?? char)
