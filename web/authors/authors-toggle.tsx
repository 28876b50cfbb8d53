/** The bar's button that shows who wrote what. */
import { Highlighter } from 'lucide-react'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { authorship } from './authorship.ts'

export function AuthorsToggle({ session }: { readonly session: DocumentSession }) {
  const { shown } = authorship(session)
  const isShown = useStore(shown)
  return (
    <button
      type="button"
      className="button button-icon"
      aria-pressed={isShown}
      aria-label="Show authors"
      title="Show who wrote what"
      onMouseDown={keepWritersPlace}
      onClick={() => shown.set(!shown.get())}
    >
      <Highlighter aria-hidden />
    </button>
  )
}
