/** The source editor in its pane, with the scroll position that it shares with the page. */

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import { isWritable } from '../editor/writable.ts'
import type { DocumentSession } from '../live/session.ts'
import { textSize } from '../platform/look.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { focusedElement } from '../platform/writers-place.ts'
import type { Place } from './scroll-together.ts'
import { mountSource, type SourceEditor } from './source-editor.ts'

export interface SourcePaneProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export interface SourceProps extends SourcePaneProps {
  readonly isAlone: boolean
  /** Where one reads: taken from here when it is alone, and left here. */
  readonly place: RefObject<Place | undefined>
}

export function Source({ session, editor, actions, isAlone, place }: SourceProps) {
  const parent = useRef<HTMLDivElement>(null)
  const [source, setSource] = useState<SourceEditor>()
  const stood = useRef<SourceEditor>(undefined)
  useLayoutEffect(() => {
    const isNew = stood.current !== source
    stood.current = source
    if (source === undefined || !isAlone) return
    // Beside the page it has been scrolled since: it is still as wide as there.
    const shown = isNew ? place.current : source.place
    if (shown) source.show(shown)
    return () => {
      place.current = source.place
    }
  }, [source, isAlone, place])
  useEffect(() => {
    const element = parent.current
    if (element === null) return
    const mounted = mountSource({
      page: editor.view,
      parent: element,
      isWritable: () => isWritable(session),
      onRefused: () => notify('This Markdown cannot be parsed.', 'problem'),
    })
    setSource(mounted)
    // The focus stays in the page while both are shown, and in an open menu.
    const focus = () => {
      const isElsewhere = focusedElement()?.closest('[role="menu"][data-state="open"]') != null
      if (!editor.view.hasFocus() && !isElsewhere) mounted.focus()
    }
    // A menu that closes now still moves the focus to its button.
    const frame = requestAnimationFrame(focus)
    return () => {
      cancelAnimationFrame(frame)
      mounted.destroy()
    }
  }, [session, editor])
  const size = useStore(textSize)
  useEffect(() => source?.measure(), [source, size])
  const wasAlone = useRef(isAlone)
  useEffect(() => {
    const leader = wasAlone.current ? 'source' : 'page'
    wasAlone.current = isAlone
    return isAlone ? undefined : source?.scrollBeside(leader)
  }, [source, isAlone])
  useEffect(() => {
    if (source === undefined || !isAlone) return
    const stops = (['find', 'replace'] as const).map((action) =>
      actions.handle(action, () => source.find()),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [source, isAlone, actions])
  return (
    <section className="source" aria-label="Source" aria-busy={source === undefined}>
      <div className="source-place" ref={parent} />
    </section>
  )
}
