/** What one may begin an empty document with, beside writing; loaded with the first one. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { modesOf } from '../editor/mode.ts'
import { emptyParagraph } from '../editor/model/empty.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { useStore } from '../platform/store.ts'
import type { EmptyChipsProps } from './empty-buttons.tsx'
import type { PageEditor } from './page-editor.ts'

const EmptyButtons = lazy(async () => ({
  default: (await import('./empty-buttons.tsx')).EmptyButtons,
}))

export function EmptyChips({ session, editor }: EmptyChipsProps) {
  const mayWrite = useStore(modesOf(session).takesTyping)
  const isEmpty = useEmpty(editor)
  if (!isEmpty || !mayWrite) return null
  return (
    <Suspense>
      <EmptyButtons session={session} editor={editor} />
    </Suspense>
  )
}

function useEmpty({ view }: PageEditor): boolean {
  const isEmptyNow = () => !view.isDestroyed && emptyParagraph(view.state) !== undefined
  const [isEmpty, setEmpty] = useState(isEmptyNow)
  useEffect(() => {
    const look = () => setEmpty(!view.isDestroyed && emptyParagraph(view.state) !== undefined)
    look()
    return onViewUpdate(view, look)
  }, [view])
  return isEmpty
}
