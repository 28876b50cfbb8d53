/** The text of a version with its changes, scrolled to the first of them if none is in sight. */
import { useEffect, useRef } from 'react'
import { authorship } from '../authors/authorship.ts'
import type { DocumentSession } from '../live/session.ts'
import { showText } from './shown-text.ts'
import type { ReadRevision } from './use-revision.ts'

/** What is marked in it, for selectors. */
export const marked = '.rev-came, .rev-gone, .rev-gone-blocks, .rev-shaped'

export function VersionText({
  session,
  read,
}: {
  readonly session: DocumentSession
  readonly read: ReadRevision
}) {
  const place = useRef<HTMLDivElement>(null)
  const { book } = authorship(session)
  useEffect(() => {
    if (place.current === null) return undefined
    const signs = (author: string) => book.author(author)
    const { doc, changes } = read
    const shown = showText(place.current, { slug: session.slug, doc, changes, signs })
    const stop = book.changes.subscribe(shown.refresh)
    return () => {
      stop()
      shown.destroy()
    }
  }, [session, read, book])
  useEffect(() => {
    const all = place.current?.querySelectorAll(marked) ?? []
    const isSeen = [...all].some((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return bottom > 48 && top < window.innerHeight
    })
    if (!isSeen) all[0]?.scrollIntoView({ block: 'center' })
  }, [read])
  return <div className="history-column" ref={place} />
}
