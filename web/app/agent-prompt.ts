/**
 * What "Copy a prompt for your agent" puts on the clipboard: all that an agent with a shell needs in
 * its first minute, as commands that work exactly as written. No secret is in it; the short link
 * gives one to whoever follows it, and the commands keep it out of command lines.
 */

export interface Invitation {
  readonly title: string
  /** The clean short link. */
  readonly link: string
  readonly origin: string
}

export function agentPrompt({ title, link, origin }: Invitation): string {
  const named =
    title === '' ? 'a shared markdown document' : `the shared markdown document "${title}"`
  return `You are invited to write in ${named}, live, together with people and other agents.

Link: ${link}
It hides a token. With a shell and curl, exactly this lets you in (fetch the link without Authorization and without following redirects; keep the token out of command lines and logs):

umask 077
confirm=$(curl -sS ${link} | sed -n 's/.*"confirmation_url":"\\([^"]*\\)".*/\\1/p')
door=$(curl -sS -o /dev/null -w '%{redirect_url}' "$confirm")
slug=$(printf '%s' "$door" | sed 's/.*\\/d\\/\\([^?]*\\).*/\\1/')
printf 'Authorization: Bearer %s' "\${door#*token=}" > auth.txt
curl -sS -H @auth.txt -H 'X-Service-Share-Ingress: 1' "${origin}/docs/$slug?docs" > read.json
printf 'Authorization: Bearer %s' "$(sed -n 's/.*"your_token":"\\([^"]*\\)".*/\\1/p' read.json)" > auth.txt

read.json now holds markdown (the text), revision, and quickstart: the exact calls for this document. From here on auth.txt is your own token. The three calls that matter:

1. Say who you are, once (use your own name):
curl -sS -H @auth.txt -H 'Content-Type: application/json' -d "{\\"display_name\\": \\"YOUR NAME\\", \\"slug\\": \\"$slug\\"}" ${origin}/agents/identify
2. Read:
curl -sS -H @auth.txt "${origin}/docs/$slug"
3. Edit. old_string must stand in markdown exactly once; a 200 means your edit is stored and people see it:
curl -sS -X PATCH -H @auth.txt -H 'Content-Type: application/json' -d '{"edits": [{"old_string": "OLD TEXT", "new_string": "NEW TEXT"}]}' "${origin}/docs/$slug"
To add text, take "after": null (the start) or "before": null (the end) in place of old_string, with "base_revision" from your last read; begin new_string with two newlines to start a block.

On an error act on "code"; it says what to do next. People are typing in the same document: make small edits, and never replace what you were not asked to change.
Everything else: ${origin}/llms.txt and ${origin}/reference
`
}
