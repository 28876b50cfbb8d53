/** What waits for this person, once there is any: read, counted, and listed on a click. */
import { Inbox as InboxIcon } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { InboxEntry } from '../api/inbox.ts'
import { authorship } from '../authors/authorship.ts'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { useSelected, useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { addressOf } from './waiting.ts'
import { waitingCount } from './waiting-count.ts'

const { Dialog: Panel, preload } = lazyDialog(async () => (await import('./panel.tsx')).Panel)

export interface NeedsYouProps {
  readonly session: DocumentSession
  readonly editor: Editor
}

const deliveredWithinMs = 3_000

export function ReadNeedsYou({ session, editor }: NeedsYouProps) {
  const actor = useSelected(session.account, (account) => account?.actor_id)
  const [inbox, setInbox] = useState<Inbox>()
  useEffect(() => {
    if (actor === undefined) return undefined
    const opened = openInbox(actor)
    const count = waitingCount(session)
    let late: number | undefined
    const stops = [
      () => window.clearTimeout(late),
      opened.waiting.subscribe(() => count.set(opened.waiting.get().length)),
      session.onEvent((event) => {
        const isSaid = event.type === 'doc_changed' && event.threads !== undefined
        const isBack = event.type === 'event' && event.event === 'hello'
        if (isSaid || isBack) opened.refresh()
        if (!isSaid) return
        // An entry may come to the inbox a moment after what was said.
        window.clearTimeout(late)
        late = window.setTimeout(opened.refresh, deliveredWithinMs)
      }),
    ]
    setInbox(opened)
    return () => {
      for (const stop of stops) stop()
      opened.close()
      count.set(0)
      setInbox(undefined)
    }
  }, [actor, session])
  return inbox === undefined ? null : <Button inbox={inbox} session={session} editor={editor} />
}

function Button({ inbox, session, editor }: NeedsYouProps & { readonly inbox: Inbox }) {
  const count = useStore(inbox.waiting).length
  const { book } = authorship(session)
  useStore(book.changes)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => setOpen(false), [])
  const follow = (entry: InboxEntry): boolean => {
    const { document, comment } = entry
    if (document?.id !== session.slug || comment === null) return false
    void import('../threads/focus-address.ts').then(
      ({ showComment }) => showComment(session, editor.view, comment.id),
      // The page it would have been shown on is loaded anew at it.
      () => location.assign(addressOf(entry)),
    )
    return true
  }
  if (count === 0 && !isOpen) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button needs-you-button"
        aria-label={`Needs you: ${count}`}
        title="Needs you"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onMouseDown={keepWritersPlace}
        onClick={() => {
          if (isOpen) inbox.see()
          setOpen(!isOpen)
        }}
      >
        <InboxIcon aria-hidden />
        <span className="needs-you-count" aria-hidden>
          {count}
        </span>
      </button>
      {isOpen ? (
        <Panel
          inbox={inbox}
          here={session.slug}
          hueOf={(actor) => book.hueOf(actor)}
          button={button}
          onFollow={follow}
          onClose={close}
        />
      ) : null}
    </>
  )
}
