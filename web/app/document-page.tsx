/** A document's page: the bar, the text in its column, and the margin that is kept for cards. */
import { useEffect, useRef, useState } from 'react'
import { type Editor, mountEditor } from '../editor/editor.ts'
import { type DocumentSession, openSession } from '../live/session.ts'
import { useStore } from '../store.ts'
import { TopBar } from './top-bar.tsx'

export function DocumentPage({ slug }: { readonly slug: string }) {
  const [session, setSession] = useState<DocumentSession>()
  useEffect(() => {
    const opened = openSession(slug)
    setSession(opened)
    return () => opened.close()
  }, [slug])
  return session === undefined ? null : <OpenDocument session={session} />
}

function OpenDocument({ session }: { readonly session: DocumentSession }) {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const copy = useStore(session.copy)
  useEffect(() => {
    if (place.current === null) return
    const mounted = mountEditor(place.current, { session, copy })
    setEditor(mounted)
    return () => mounted.destroy()
  }, [session, copy])
  return (
    <>
      <TopBar session={session} editor={editor} />
      <main className="page">
        <div className="column" ref={place} />
      </main>
    </>
  )
}
