/** What the page's own keys open: the sheet of shortcuts, which comes on first use, and F6. */
import type { EditorView } from 'prosemirror-view'
import { lazy, Suspense, useEffect, useState } from 'react'
import { goToLandmark } from './landmarks.ts'
import { listenForPageKeys } from './page-keys.ts'
import type { Tools } from './tools.ts'

const Sheet = lazy(async () => ({
  default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet,
}))

interface PageDoorsProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function PageDoors({ view, tools: { doors } }: PageDoorsProps) {
  const [isSheetOpen, setSheetOpen] = useState(false)
  useEffect(() => {
    const stops = [
      listenForPageKeys(view, doors),
      doors.answer('shortcuts', () => setSheetOpen(true)),
      doors.answer('landmark', () => goToLandmark(1)),
      doors.answer('landmark-back', () => goToLandmark(-1)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [view, doors])
  if (!isSheetOpen) return null
  return (
    <Suspense>
      <Sheet doors={doors} close={() => setSheetOpen(false)} />
    </Suspense>
  )
}
