/** The discussion on the page once there is any: cards in the margin, or bubbles and a sheet. */
import { useEffect, useRef, useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { guardFocus } from '../platform/focus-guard.ts'
import { hasMargin } from '../platform/media.ts'
import { useStore } from '../platform/store.ts'
import { viewMode } from '../source/view-mode.ts'
import { Cards } from './cards.tsx'
import { DiscussionProvider, useDiscussion, useMakeDiscussion } from './discussion-context.tsx'
import { draftId } from './highlights.ts'
import { MarginLayout } from './margin-layout.ts'
import { nextFrom, showWords } from './navigation.ts'
import { Narrow } from './sheet.tsx'
import { useThreads } from './use-threads.ts'

export interface MarginProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function Margin({ session, editor, actions }: MarginProps) {
  const talk = useMakeDiscussion(session, editor)
  const { discussion } = talk
  const [layout, setLayout] = useState<MarginLayout>()
  const mode = useStore(viewMode(session))
  const isWide = useStore(hasMargin) && mode === 'page'
  useEffect(() => {
    const made = new MarginLayout({ view: editor.view, active: discussion.active.get })
    setLayout(made)
    return () => made.destroy()
  }, [editor, discussion])
  const area = useRef<HTMLDivElement>(null)
  const isDrawn = layout !== undefined && mode !== 'source'
  useEffect(() => {
    if (!isDrawn || area.current === null) return undefined
    const elsewhere = () => {
      const sheet = document.querySelector<HTMLElement>('.talk-sheet')
      if (sheet !== null) sheet.focus({ preventScroll: true })
      else if (!editor.view.isDestroyed) editor.view.focus()
    }
    const holder = '.talk-card[tabindex]'
    return guardFocus({ area: area.current, holder, elsewhere })
  }, [editor, isDrawn])
  if (!isDrawn) return null
  return (
    <DiscussionProvider value={talk}>
      <Ways layout={layout} actions={actions} />
      <div ref={area} className="talk">
        {isWide ? <Cards layout={layout} /> : <Narrow layout={layout} />}
      </div>
    </DiscussionProvider>
  )
}

/** From one thread to the next by keys. */
function Ways({
  layout,
  actions,
}: {
  readonly layout: MarginLayout
  readonly actions: PageActions
}) {
  const { discussion, editor } = useDiscussion()
  const shown = useThreads(layout)
  useEffect(() => {
    const ids = shown.map(({ id }) => id)
    const go = (way: 1 | -1) => () => {
      const active = discussion.active.get()
      const next = nextFrom(editor.view, ids, { active, way })
      if (next === undefined || next === draftId) return
      discussion.open(next)
      showWords(editor.view, next)
      focusThread(next)
    }
    const stops = [actions.handle('next-thread', go(1)), actions.handle('previous-thread', go(-1))]
    return () => {
      for (const stop of stops) stop()
    }
  }, [actions, discussion, editor, shown])
  return null
}

/** Once it is drawn. */
function focusThread(id: string): void {
  requestAnimationFrame(() => {
    const card = document.querySelector<HTMLElement>(`[data-thread="${CSS.escape(id)}"]`)
    card?.focus({ preventScroll: true })
  })
}
