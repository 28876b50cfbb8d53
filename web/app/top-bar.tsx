/** The bar over a document: home, title, state line; who is here and how the page is shown. */
import { House } from 'lucide-react'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../store.ts'

export interface TopBarProps {
  readonly session: DocumentSession
  readonly editor: Editor | undefined
}

export function TopBar({ session }: TopBarProps) {
  const state = useStore(session.saveState)
  return (
    <header className="bar">
      <a className="button button-icon" href="/" aria-label="Home">
        <House />
      </a>
      <span className="bar-space" />
      <span role="status">{state.kind}</span>
    </header>
  )
}
