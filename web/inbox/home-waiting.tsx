/** What waits for somebody, at the top of home; nothing there while nothing does. */
import { useEffect, useState } from 'react'
import { Later, laterPart } from '../platform/later.tsx'
import { useStore } from '../platform/store.ts'
import { type Inbox, openInbox } from './inbox.ts'

const list = laterPart(async () => (await import('./waiting-list.tsx')).WaitingList)

export function HomeWaiting({ actor }: { readonly actor: string }) {
  const [inbox, setInbox] = useState<Inbox>()
  useEffect(() => {
    const opened = openInbox(actor)
    setInbox(opened)
    return () => opened.close()
  }, [actor])
  return inbox === undefined ? null : <Section inbox={inbox} />
}

function Section({ inbox }: { readonly inbox: Inbox }) {
  const count = useStore(inbox.waiting).length
  useEffect(() => {
    const { title } = document
    if (count > 0) document.title = `(${count}) ${title}`
    return () => {
      document.title = title
    }
  }, [count])
  if (count === 0) return null
  return (
    <section className="home-waiting" aria-labelledby="needs-you">
      <h2 className="home-waiting-title" id="needs-you">
        Needs you <span className="needs-you-count">{count}</span>
      </h2>
      <Later part={list} props={{ inbox }} />
    </section>
  )
}
