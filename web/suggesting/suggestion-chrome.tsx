/** What the chrome shows of suggestions: the one that is looked at, the bar to go through them. */

import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import { historyMode } from '../history/history-mode.ts'
import type { DocumentSession } from '../live/session.ts'
import { dockFoot } from '../platform/docked.ts'
import { useStore } from '../platform/store.ts'
import { DraftNote } from './draft-note.tsx'
import { Review, type ReviewProps } from './review.ts'
import { ReviewBar } from './review-bar.tsx'
import { SuggestionCard } from './suggestion-card.tsx'
import { SuggestionEditor } from './suggestion-editor.ts'
import { useWaiting } from './use-threads.ts'

export interface SuggestingProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function SuggestionChrome({ session, editor, actions }: SuggestingProps) {
  const { view } = editor
  const [open, setOpen] = useState<Pick<ReviewProps, 'suggestions' | 'review'>>()
  useEffect(() => {
    const suggestions = new SuggestionEditor({ view, session })
    const review = new Review(session, view, suggestions)
    setOpen({ suggestions, review })
    const stops = [
      actions.handle('next-suggestion', () => review.go(1)),
      actions.handle('previous-suggestion', () => review.go(-1)),
      actions.handle('accept-suggestion', () => void review.decidePointed('accept')),
      actions.handle('reject-suggestion', () => void review.decidePointed('reject')),
    ]
    return () => {
      for (const stop of stops) stop()
      setOpen(undefined)
      suggestions.destroy()
    }
  }, [view, session, actions])
  if (open === undefined) return null
  return <Chrome {...open} session={session} editor={editor} />
}

function Chrome(props: ReviewProps) {
  const { suggestions, review } = props
  const pointed = useStore(suggestions.pointed)
  const isClosed = useStore(review.isClosed)
  const isGoing = useStore(review.isOpen)
  const isWaited = useWaiting(props.session).length > 0
  const isInHistory = useStore(historyMode(props.session).shown) !== undefined
  useEffect(() => {
    if (!isWaited) review.isClosed.set(false)
  }, [review, isWaited])
  return (
    <>
      {pointed === undefined ? null : <SuggestionCard key={pointed} {...props} name={pointed} />}
      {createPortal(
        <>
          <DraftNote {...props} />
          {!isInHistory && (isGoing || (isWaited && !isClosed)) ? <ReviewBar {...props} /> : null}
        </>,
        dockFoot(),
      )}
    </>
  )
}
