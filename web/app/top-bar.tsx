/** The bar over a document: home, title, state line; who is here and how the page is shown. */
import { House } from 'lucide-react'
import { AuthorsToggle } from '../authors/authors-toggle.tsx'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { ViewSwitch } from '../source/view-switch.tsx'
import { MoreMenu } from './more-menu.tsx'
import { People } from './people.tsx'
import { ShareButtons } from './share-buttons.tsx'
import { StateLine } from './state-line.tsx'

export interface TopBarProps {
  readonly session: DocumentSession
  readonly editor: Editor
}

export function TopBar({ session, editor }: TopBarProps) {
  const { title } = useStore(editor.slice)
  const role = useStore(session.role)
  const mayShare = role === 'owner' || role === 'editor'
  const shared = { slug: session.slug, title }
  return (
    <header className="bar">
      <a className="button button-icon" href="/" aria-label="Home" title="Home">
        <House aria-hidden />
      </a>
      <span className="bar-title" title={title}>
        {title === '' ? 'Untitled' : title}
      </span>
      <StateLine session={session} />
      <span className="bar-space" />
      <People session={session} />
      <AuthorsToggle session={session} />
      <ViewSwitch session={session} />
      {mayShare ? <ShareButtons {...shared} /> : null}
      <MoreMenu shared={shared} mayShare={mayShare} />
    </header>
  )
}
