/** The bar over a document: home, title, state; who is here, how it is shown, sharing, and more. */
import { House } from 'lucide-react'
import { useEffect, useState } from 'react'
import { under } from '../api/base.ts'
import { NeedsYou } from '../inbox/needs-you.tsx'
import type { DocumentSession } from '../live/session.ts'
import { isNarrow } from '../platform/media.ts'
import { useStore } from '../platform/store.ts'
import { viewMode } from '../source/view-mode.ts'
import { useFlagNotice } from './flag-notice.ts'
import { ModeMenu } from './mode-menu.tsx'
import { MoreMenu } from './more-menu.tsx'
import type { PageEditor } from './page-editor.ts'
import { People } from './people.tsx'
import { ShareButton } from './share-button.tsx'
import { StateLine } from './state-line.tsx'
import { ViewMenu } from './view-menu.tsx'

export interface TopBarProps {
  readonly session: DocumentSession
  readonly editor: PageEditor
}

export function TopBar({ session, editor }: TopBarProps) {
  const role = useStore(session.role)
  useFlagNotice(session)
  const { title } = useStore(editor.slice)
  return (
    <header className="bar" data-over-text={useIsScrolled() || undefined}>
      <a className="button button-icon" href={under('/')} aria-label="Home" title="Home">
        <House aria-hidden />
      </a>
      <Title session={session} editor={editor} />
      <StateLine session={session} />
      <span className="bar-space" />
      <People session={session} />
      <ModeMenu session={session} />
      {useStore(isNarrow) ? null : <ViewMenu session={session} />}
      {role === undefined ? null : <ShareButton session={session} title={title} />}
      <NeedsYou session={session} editor={editor} />
      <MoreMenu session={session} editor={editor} />
    </header>
  )
}

/** The heading of the page where the text shows none of its own. */
function Title({ session, editor }: TopBarProps) {
  const { title, isTitled } = useStore(editor.slice)
  const isSource = useStore(viewMode(session)) === 'source'
  const Element = isSource || !isTitled ? 'h1' : 'span'
  return (
    <Element className="bar-title" title={title}>
      {title === '' ? 'Untitled' : title}
    </Element>
  )
}

/** Whether there is text above what the window shows. */
function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > 0)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  return isScrolled
}
