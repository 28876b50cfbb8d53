/** Says who is followed, and ends it. */
import { X } from 'lucide-react'
import type { DocumentSession } from '../live/session.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { useStore } from '../platform/store.ts'
import { authorship } from './authorship.ts'
import { peersOf } from './peers.ts'

export function FollowNote({ session }: { readonly session: DocumentSession }) {
  const { following, book } = authorship(session)
  const client = useStore(following.client)
  useStore(book.changes)
  const peer = peersOf(session.copy.get().awareness).find((one) => one.client === client)
  if (peer === undefined) return null
  const { name, hue } = book.author(peer.actor)
  return (
    <div ref={passFocusToText} className="follow-note" data-hue={hue} role="status">
      Following {peer.name ?? name}
      <button
        type="button"
        className="button button-icon"
        aria-label={`Stop following ${peer.name ?? name}`}
        onClick={following.stop}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}
