/** "Copy link" and "Copy a prompt for your agent": both by the document's clean short link. */
import { Bot, Link } from 'lucide-react'
import { shareLink } from '../api/documents.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'
import { agentPrompt } from './agent-prompt.ts'

export interface Shared {
  readonly slug: string
  readonly title: string
}

const linkOf = async ({ slug }: Shared): Promise<string> => (await shareLink(slug)).url

async function copyWith(text: Promise<string>, done: string): Promise<void> {
  try {
    await copyText(text)
    notify(done)
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'problem')
  }
}

export const copyLink = (shared: Shared): Promise<void> =>
  copyWith(linkOf(shared), 'Link copied. Whoever has it can open this document.')

export function copyPrompt(shared: Shared): Promise<void> {
  const { title } = shared
  const prompt = linkOf(shared).then((link) =>
    agentPrompt({ title, link, origin: location.origin }),
  )
  return copyWith(prompt, 'Prompt copied. Paste it to your agent.')
}

export function ShareButtons(shared: Shared) {
  return (
    <div className="bar-share">
      <button type="button" className="button button-line" onClick={() => copyLink(shared)}>
        <Link aria-hidden />
        Copy link
      </button>
      <button type="button" className="button button-primary" onClick={() => copyPrompt(shared)}>
        <Bot aria-hidden />
        Copy a prompt for your agent
      </button>
    </div>
  )
}
