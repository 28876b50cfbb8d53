/**
 * Opens find and replace: by its keys anywhere on the page, but where something of its own answers
 * them (the source does), and by the text's commands.
 */
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { viewMode } from '../source/mode.ts'

const FindBar = lazy(async () => ({ default: (await import('./find-bar.tsx')).FindBar }))

interface Asked {
  readonly replaces: boolean
  readonly times: number
}

export interface FindProps {
  readonly session: DocumentSession
  readonly editor: Editor
}

export function Find({ session, editor }: FindProps) {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    const ask = (replaces: boolean) =>
      setAsked((before) => ({ replaces, times: (before?.times ?? 0) + 1 }))
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.shiftKey) return
      if (!(event.metaKey || event.ctrlKey) || viewMode(session).get() === 'source') return
      const key = event.key.toLowerCase()
      if (key !== 'f' && key !== 'h') return
      event.preventDefault()
      ask(key === 'h')
    }
    const { doors } = editor.tools
    const stops = [doors.answer('find', () => ask(false)), doors.answer('replace', () => ask(true))]
    window.addEventListener('keydown', onKey)
    return () => {
      for (const stop of stops) stop()
      window.removeEventListener('keydown', onKey)
    }
  }, [session, editor])
  if (asked === undefined) return null
  return (
    <Suspense fallback={null}>
      <FindBar
        session={session}
        editor={editor}
        replaces={asked.replaces}
        asked={asked.times}
        onClose={() => setAsked(undefined)}
      />
    </Suspense>
  )
}
