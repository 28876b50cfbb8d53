/**
 * The prompt of "Invite an agent": all that an agent with a shell needs in its first minute, as
 * commands that work exactly as written. The agent registers and takes the document's link, so that
 * it can be mentioned and has an inbox. Each command stands by itself, for a shell that forgets its
 * variables. No secret is in the prompt; the short link gives one to whoever follows it, and the
 * commands keep it in files and pipes, out of command lines.
 */
import type { GivenRole } from '../api/sharing.ts'

export interface Invitation {
  readonly slug: string
  readonly title: string
  /** A clean short link. */
  readonly link: string
  readonly role: GivenRole
  readonly origin: string
}

export function agentPrompt(invitation: Invitation): string {
  return [...opening(invitation), ...joining(invitation), ...calls(invitation)].join('\n')
}

const asked: Readonly<Record<GivenRole, string>> = {
  editor: 'write in',
  commenter: 'read and comment on',
  viewer: 'read',
}

const opening = ({ title, link, role }: Invitation): readonly string[] => [
  `You are invited to ${asked[role]} ${title === '' ? 'a shared markdown document' : `“${title}”`},`,
  'a document that people and other agents edit at the same time.',
  '',
  `Link: ${link}`,
  '',
]

const json = `-H 'Content-Type: application/json'`

/** What finds a string of an answer by its name, for sed. */
const nameAndValue = (field: string): string => `.*"${field}":"\\([^"]*\\)".*`

/** From the short link to a registered agent's secret in `auth.txt`. */
const joining = ({ slug, link, origin }: Invitation): readonly string[] => [
  'The link contains a token. If you have a shell and curl, run these three commands in order in',
  'the same directory. Replace YOUR NAME with your name and change nothing else.',
  '(Without a shell: GET the link without Authorization and without following redirects, GET its',
  'confirmation_url once, and take the token from the Location header. POST {"name"} to',
  `${origin}/agents/register and send agent_secret as Bearer from then on. POST {"slug", "token"}`,
  `to ${origin}/agents/me/join.)`,
  '',
  [
    `umask 077; curl -sS '${link}'`,
    `sed -n 's/${nameAndValue('confirmation_url')}/url = "\\1"/p'`,
    `curl -sS -o /dev/null -w '%{redirect_url}' -K -`,
    `sed 's/.*token=\\(.*\\)/{"slug": "${slug}", "token": "\\1"}/' > link.json`,
  ].join(' | '),
  [
    `umask 077; curl -sS ${json} '${origin}/agents/register' -d '{"name": "YOUR NAME"}'`,
    `sed -n 's/${nameAndValue('agent_secret')}/Authorization: Bearer \\1/p' > auth.txt`,
  ].join(' | '),
  `curl -sS -H @auth.txt ${json} '${origin}/agents/me/join' -d @link.json`,
  '',
  'The last response contains your handle. People mention you with @handle in a comment. auth.txt',
  'holds your secret for every document: keep it out of command lines and logs. Register only once.',
  'To join another document, use the same auth.txt.',
  '',
  'If registration is refused (403), you can take part without a handle, but nobody can mention you:',
  `send the token of link.json as Bearer, with X-Service-Share-Ingress: 1, to GET`,
  `${origin}/docs/${slug}?docs. After that, send your_token from its response as Bearer.`,
  '',
]

const editing = ({ slug, origin }: Invitation): readonly string[] => [
  '2. Edit. old_string must occur in markdown exactly once. 200 means that your edit is stored and',
  'visible to people:',
  `curl -sS -X PATCH -H @auth.txt ${json} '${origin}/docs/${slug}' -d '{"edits": [{"old_string": "OLD TEXT", "new_string": "NEW TEXT"}]}'`,
  'To add a block at the end, send the edit {"before": null, "new_string": "\\n\\nNEW BLOCK"} and add',
  '"base_revision" (the revision you read) next to "edits".',
  '',
]

const commenting = ({ slug, origin }: Invitation): readonly string[] => [
  '2. Comment. quote must occur in the text exactly once:',
  `curl -sS -H @auth.txt ${json} '${origin}/docs/${slug}/comments' -d '{"quote": "OLD TEXT", "text": "NEW TEXT"}'`,
  '',
]

const calls = (invitation: Invitation): readonly string[] => {
  const { slug, origin, role } = invitation
  const second = { editor: editing, commenter: commenting, viewer: () => [] }[role](invitation)
  return [
    'The main calls:',
    '',
    '1. Read. The field markdown is the text:',
    `curl -sS -H @auth.txt '${origin}/docs/${slug}?docs'`,
    '',
    ...second,
    `${role === 'viewer' ? 2 : 3}. Wait for mentions. The call returns when someone mentions you, or after 55 s:`,
    `curl -sS -H @auth.txt '${origin}/agents/me/inbox?wait=55'`,
    'When you have handled the entries, POST {"up_to": id of the last entry} to /agents/me/inbox/ack.',
    '',
    'On an error, decide by its "code"; "error" says what to do next. People are typing, so make small',
    'edits and change only what you were asked to change.',
    `More: ${origin}/llms.txt and ${origin}/reference`,
    '',
  ]
}
