/** Inviting people and agents to the document: both by its clean short link. */
import { Bot, Link, UserPlus } from 'lucide-react'
import { shareLink } from '../api/documents.ts'
import { copyText } from '../platform/clipboard.ts'
import { notify } from '../platform/notices.ts'
import { BarMenu, MenuAction } from './bar-menu.tsx'

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

const copyLink = (shared: Shared): Promise<void> =>
  copyWith(linkOf(shared), 'Link copied. Whoever has it can open this document.')

export function copyPrompt(shared: Shared): Promise<void> {
  const making = async () => {
    const [{ agentPrompt }, link] = await Promise.all([import('./agent-prompt.ts'), linkOf(shared)])
    return agentPrompt({ ...shared, link, origin: location.origin })
  }
  return copyWith(making(), 'Prompt copied. Paste it to your agent.')
}

export function ShareMenu({ shared }: { readonly shared: Shared }) {
  const face = (
    <>
      <UserPlus aria-hidden />
      <span className="share-word">Share</span>
    </>
  )
  return (
    <BarMenu label="Share" className="button button-primary share-button" face={face}>
      <MenuAction
        icon={<Link aria-hidden />}
        label="Copy link"
        more="Whoever has the link can open this document."
        onChoose={() => copyLink(shared)}
      />
      <MenuAction
        icon={<Bot aria-hidden />}
        label="Invite an agent"
        more="Copies a prompt that tells your agent how to read and write here."
        onChoose={() => copyPrompt(shared)}
      />
    </BarMenu>
  )
}
