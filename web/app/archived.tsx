/**
 * What stands where a document was archived: by whom and when, until when it can be restored, and
 * the way back or out for who may, who can also look at its text.
 */

import { useCallback, useEffect, useState } from 'react'
import { type Archive, isGone, readArchive, restoreDocument } from '../api/life.ts'
import { troubleWords } from '../api/trouble.ts'
import type { DocumentSession } from '../live/session.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { lazyDialog } from '../platform/lazy-dialog.tsx'
import { notify } from '../platform/notices.ts'
import { asSomebody } from '../share/as-somebody.ts'
import { dayWords } from '../share/words.ts'
import { MessagePage, ToAllDocuments } from './message-page.tsx'

const { Dialog: DeleteDialog } = lazyDialog(
  async () => (await import('./delete-dialog.tsx')).DeleteDialog,
)

const text = laterPart(async () => (await import('./archived-text.tsx')).ArchivedText)

/** While it is being deleted. */
const lookAgainAfterMs = 2_000

export interface ArchivedProps {
  readonly session: DocumentSession
  /** It can be opened again. */
  readonly onBack: () => void
  /** There is no such document any more. */
  readonly onGone: () => void
}

export function Archived({ session, onBack, onGone }: ArchivedProps) {
  const { slug } = session
  const { archive, look } = useArchive(slug, onGone)
  const [isBusy, setBusy] = useState(false)
  const [deletes, setDeletes] = useState(false)
  const [isShown, setShown] = useState(false)
  const hide = useCallback(() => setShown(false), [])
  const close = useCallback(() => setDeletes(false), [])
  if (archive === undefined) {
    return (
      <MessagePage
        title="This document was archived"
        text="It cannot be opened until it is restored."
      >
        <ToAllDocuments />
      </MessagePage>
    )
  }
  const restore = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await asSomebody(session, () => restoreDocument(slug))
      onBack()
    } catch (error) {
      notify(troubleWords(error), 'problem')
      void look()
    }
    setBusy(false)
  }
  const { your_role: role, purging } = archive
  const mayRestore = !purging && (role === 'owner' || role === 'editor')
  return (
    <>
      <MessagePage {...wordsOf(archive)}>
        {mayRestore ? (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isBusy}
            onClick={restore}
          >
            Restore
          </button>
        ) : null}
        {mayRestore && !isShown ? (
          <button type="button" className="button button-line" onClick={() => setShown(true)}>
            Preview
          </button>
        ) : null}
        {mayRestore && role === 'owner' ? (
          <button type="button" className="button button-line" onClick={() => setDeletes(true)}>
            Delete forever…
          </button>
        ) : null}
        <ToAllDocuments isSecond={mayRestore} />
        {deletes ? (
          <DeleteDialog slug={slug} title={archive.title} onDone={look} onClose={close} />
        ) : null}
      </MessagePage>
      {isShown && mayRestore ? <Later part={text} props={{ slug }} onMissing={hide} /> : null}
    </>
  )
}

function useArchive(slug: string, onGone: () => void) {
  const [archive, setArchive] = useState<Archive>()
  const look = useCallback(async () => {
    try {
      const found = await readArchive(slug)
      setArchive(found.archived ? found : undefined)
    } catch (error) {
      if (isGone(error)) onGone()
      // What is not known is not shown.
      else setArchive(undefined)
    }
  }, [slug, onGone])
  useEffect(() => {
    void look()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [look])
  const isLeaving = archive?.purging === true
  useEffect(() => {
    if (!isLeaving) return
    const timer = window.setInterval(look, lookAgainAfterMs)
    return () => window.clearInterval(timer)
  }, [isLeaving, look])
  return { archive, look }
}

function wordsOf(archive: Archive): { readonly title: string; readonly text: string } {
  const { title, archived_at: at, archived_by: by, restorable_until: until, your_role } = archive
  if (archive.purging) {
    return {
      title: 'This document is being deleted',
      text: 'It can no longer be restored.',
    }
  }
  const who = archive.actors[by ?? '']?.name ?? 'Someone'
  const when = at === null ? '' : ` on ${dayWords(at)}`
  const end = until === null ? '' : ` until ${dayWords(until)}. After that it is deleted forever`
  const restorer = your_role === 'owner' || your_role === 'editor' ? 'You' : 'Its editors'
  return {
    title: `${title === '' ? 'This document' : `“${title}”`} was archived`,
    text: `${who} archived it${when}. ${restorer} can restore it${end}.`,
  }
}
