/**
 * What waits for this person, in the bar: nothing of it is loaded before there is an entry in the
 * inbox, for which it is looked when the page opens and when somebody says something in it.
 */
import { useEffect, useState } from 'react'
import { call } from '../api/http.ts'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { useSelected } from '../platform/store.ts'

/** An entry comes to the inbox a moment after what was said. */
const deliveredWithinSeconds = 5

const part = laterPart(async () => (await import('./needs-you-button.tsx')).ReadNeedsYou)

interface NeedsYouProps {
  readonly session: DocumentSession
  readonly editor: Editor
}

export function NeedsYou({ session, editor }: NeedsYouProps) {
  const actor = useSelected(session.account, (account) => account?.actor_id)
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (actor === undefined || isWanted) return undefined
    let isWaiting = false
    const look = async (waitSeconds: number) => {
      if (isWaiting) return
      if (waitSeconds > 0) isWaiting = true
      const query = { limit: 1, wait: waitSeconds }
      // Who cannot be asked now is asked when something is said again.
      const found = await call('GET /inbox', ['entries'], { query }).catch(() => undefined)
      if (waitSeconds > 0) isWaiting = false
      if (found !== undefined && found.entries.length > 0) setWanted(true)
    }
    void look(0)
    return session.onEvent((event) => {
      const isSaid = event.type === 'doc_changed' && event.threads !== undefined
      if (isSaid || (event.type === 'event' && event.event === 'hello')) {
        void look(isSaid ? deliveredWithinSeconds : 0)
      }
    })
  }, [actor, session, isWanted])
  if (actor === undefined || !isWanted) return null
  return <Later part={part} props={{ session, editor }} />
}
