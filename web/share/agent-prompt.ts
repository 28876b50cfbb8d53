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
  'a document that people and other agents are writing at the same time.',
  '',
  `Link: ${link}`,
  '',
]

const json = `-H 'Content-Type: application/json'`

/** What finds a string of an answer by its name, for sed. */
const nameAndValue = (field: string): string => `.*"${field}":"\\([^"]*\\)".*`

/** From the short link to a registered agent's secret in `auth.txt`. */
const joining = ({ slug, link, origin }: Invitation): readonly string[] => [
  'The link hides a token. With a shell and curl these three commands let you in, one after the',
  'other, all in the same directory. Put your own name for YOUR NAME; change nothing else.',
  '(Without them: GET the link with no Authorization and follow no redirect, GET its',
  'confirmation_url once, take the token from the Location header. POST {"name"} to',
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
  'The last answer has your handle: people write @handle in a comment when they want you. auth.txt',
  'is your secret from now on, for every document: keep it out of command lines and logs. Register',
  'only once; to join another document, use the same auth.txt.',
  '',
  'If registering is refused (403), you can take part without a handle, but nobody can mention you:',
  `send the token of link.json as Bearer, with X-Service-Share-Ingress: 1, to GET`,
  `${origin}/docs/${slug}?docs, and your_token of its answer from then on.`,
  '',
]

const editing = ({ slug, origin }: Invitation): readonly string[] => [
  '2. Edit. old_string must stand in markdown exactly once. A 200 means that your edit is stored',
  'and that people see it:',
  `curl -sS -X PATCH -H @auth.txt ${json} '${origin}/docs/${slug}' -d '{"edits": [{"old_string": "OLD TEXT", "new_string": "NEW TEXT"}]}'`,
  'To add a block at the end, take {"before": null, "new_string": "\\n\\nNEW BLOCK"} as the edit and',
  'put "base_revision" (the revision you read) beside "edits".',
  '',
]

const commenting = ({ slug, origin }: Invitation): readonly string[] => [
  '2. Comment. quote must stand in the text exactly once:',
  `curl -sS -H @auth.txt ${json} '${origin}/docs/${slug}/comments' -d '{"quote": "OLD TEXT", "text": "NEW TEXT"}'`,
  '',
]

const calls = (invitation: Invitation): readonly string[] => {
  const { slug, origin, role } = invitation
  const second = { editor: editing, commenter: commenting, viewer: () => [] }[role](invitation)
  return [
    'The calls that matter:',
    '',
    '1. Read. markdown is the text:',
    `curl -sS -H @auth.txt '${origin}/docs/${slug}?docs'`,
    '',
    ...second,
    `${role === 'viewer' ? 2 : 3}. Wait until somebody mentions you; it answers at once when somebody does, else after 55 s:`,
    `curl -sS -H @auth.txt '${origin}/agents/me/inbox?wait=55'`,
    'POST {"up_to": the id of the last entry} to /agents/me/inbox/ack when you are done with them.',
    '',
    'On an error act on its "code"; "error" says what to do next. People are typing: make small',
    'edits, and change nothing that you were not asked to change.',
    `Everything else: ${origin}/llms.txt and ${origin}/reference`,
    '',
  ]
}
