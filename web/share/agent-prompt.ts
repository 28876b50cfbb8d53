/**
 * What "Invite an agent" puts on the clipboard: all that an agent with a shell needs in its first
 * minute, as commands that work exactly as written. Each stands by itself, for a shell that forgets
 * its variables. No secret is in it; the short link gives one to whoever follows it, and the
 * commands keep it in files and pipes, out of command lines.
 */

export interface Invitation {
  readonly slug: string
  readonly title: string
  /** The clean short link. */
  readonly link: string
  readonly origin: string
}

export function agentPrompt(invitation: Invitation): string {
  return [...opening(invitation), ...doorway(invitation), ...calls(invitation)].join('\n')
}

const opening = ({ title, link }: Invitation): readonly string[] => [
  `You are invited to write in ${title === '' ? 'a shared markdown document' : `“${title}”`},`,
  'a document that people and other agents are writing at the same time.',
  '',
  `Link: ${link}`,
  '',
]

const json = `-H 'Content-Type: application/json'`

/** What finds a string of an answer by its name, for sed. */
const nameAndValue = (field: string): string => `.*"${field}":"\\([^"]*\\)".*`

/** From the short link to a token of one's own in `auth.txt`. */
const doorway = ({ slug, link, origin }: Invitation): readonly string[] => [
  'The link hides a token. With a shell and curl these three commands let you in, exactly as they',
  'stand, one after the other, all in the same directory. (Without them: GET the link with no',
  'Authorization and follow no redirect, GET its confirmation_url once, take the token from the',
  'Location header, send it once as Bearer with the header X-Service-Share-Ingress: 1 to',
  `GET ${origin}/docs/${slug}?docs, and from then on send your_token.)`,
  '',
  [
    `umask 077; curl -sS '${link}'`,
    `sed -n 's/${nameAndValue('confirmation_url')}/url = "\\1"/p'`,
    `curl -sS -o /dev/null -w '%{redirect_url}' -K -`,
    `sed 's/.*token=/Authorization: Bearer /' > auth.txt`,
  ].join(' | '),
  `umask 077; curl -sS -H @auth.txt -H 'X-Service-Share-Ingress: 1' '${origin}/docs/${slug}?docs' > read.json`,
  `umask 077; sed -n 's/${nameAndValue('your_token')}/Authorization: Bearer \\1/p' read.json > auth.txt`,
  '',
  'read.json now holds markdown (the text), revision, and quickstart (the exact calls for this',
  'document). auth.txt is your own token now: keep it out of command lines and logs.',
  '',
]

const calls = ({ slug, origin }: Invitation): readonly string[] => [
  'The three calls that matter:',
  '',
  '1. Say who you are, once, with your own name:',
  `curl -sS -H @auth.txt ${json} '${origin}/agents/identify' -d '{"slug": "${slug}", "display_name": "YOUR NAME"}'`,
  '',
  '2. Read:',
  `curl -sS -H @auth.txt '${origin}/docs/${slug}'`,
  '',
  '3. Edit. old_string must stand in markdown exactly once. A 200 means that your edit is stored',
  'and that people see it:',
  `curl -sS -X PATCH -H @auth.txt ${json} '${origin}/docs/${slug}' -d '{"edits": [{"old_string": "OLD TEXT", "new_string": "NEW TEXT"}]}'`,
  'To add a block at the end, take {"before": null, "new_string": "\\n\\nNEW BLOCK"} as the edit and',
  'put "base_revision" (the revision you read) beside "edits".',
  '',
  'On an error act on its "code"; "error" says what to do next. People are typing: make small',
  'edits, and change nothing that you were not asked to change.',
  `Everything else: ${origin}/llms.txt and ${origin}/reference`,
  '',
]
