/** What the page's own keys open: the sheet of shortcuts, which comes on first use, and F6. */
import type { EditorView } from 'prosemirror-view'
import { useCallback, useEffect, useState } from 'react'
import { Later, laterPart } from '../platform/later.tsx'
import { goToLandmark } from './landmarks.ts'
import { listenForPageKeys } from './page-keys.ts'
import type { Tools } from './tools.ts'

const sheet = laterPart(async () => (await import('./shortcuts-sheet.tsx')).ShortcutsSheet)

interface PageHandlersProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function PageHandlers({ view, tools: { actions } }: PageHandlersProps) {
  const [isSheetOpen, setSheetOpen] = useState(false)
  useEffect(() => {
    const stops = [
      listenForPageKeys(view, actions),
      actions.handle('shortcuts', () => setSheetOpen(true)),
      actions.handle('landmark', () => goToLandmark(1)),
      actions.handle('landmark-back', () => goToLandmark(-1)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [view, actions])
  const close = useCallback(() => setSheetOpen(false), [])
  if (!isSheetOpen) return null
  return <Later part={sheet} props={{ actions, close }} onMissing={close} />
}
