/** The source beside the page or instead of it; the editor in it is loaded when shown. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import { isWritable } from '../editor/writable.ts'
import type { DocumentSession } from '../live/session.ts'
import { textSize } from '../platform/look.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { focusedElement } from '../platform/writers-place.ts'
import { keepPlace } from './kept-place.ts'
import { pagePane } from './panes.ts'
import { type Place, placeOf, showPlace } from './scroll-together.ts'
import type { SourceEditor } from './source-editor.ts'
import { type ViewMode, viewMode } from './view-mode.ts'

export interface SourcePaneProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function SourcePane(props: SourcePaneProps) {
  const { session, editor } = props
  const mode = useStore(viewMode(session))
  const last = useRef(mode)
  const place = useRef<Place>(undefined)
  useEffect(() => {
    const before = last.current
    last.current = mode
    if (before !== mode) {
      const page = pagePane(editor.view)
      if (before !== 'source') place.current = placeOf(page)
      showMode(mode)
      // The source shows its own place to a page beside it.
      const isLed = before === 'source' && mode === 'split'
      if (place.current && mode !== 'source' && !isLed) showPlace(page, place.current)
    }
    if (mode === 'page' && before !== 'page') editor.view.focus()
  }, [mode, editor])
  useEffect(() => () => showMode('page'), [])
  useEffect(() => keepPlace(editor.view), [editor])
  if (mode === 'page') return null
  return <Source {...props} isAlone={mode === 'source'} place={place} />
}

/** For the style sheets. */
function showMode(mode: ViewMode): void {
  document.documentElement.dataset['view'] = mode
}

interface SourceProps extends SourcePaneProps {
  readonly isAlone: boolean
  /** Where one reads: taken from here when it is alone, and left here. */
  readonly place: RefObject<Place | undefined>
}

function Source({ session, editor, actions, isAlone, place }: SourceProps) {
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
    let mounted: SourceEditor | undefined
    let isGone = false
    const load = async () => {
      const { mountSource } = await import('./source-editor.ts')
      if (isGone) return
      mounted = mountSource({
        page: editor.view,
        parent: element,
        isWritable: () => isWritable(session),
        onRefused: () => notify('This text is too intricate to be read.', 'problem'),
      })
      setSource(mounted)
      // Who writes on the page goes on there while both are to be seen, as does who is in a menu.
      const isElsewhere = focusedElement()?.closest('[role="menu"][data-state="open"]') != null
      if (!editor.view.hasFocus() && !isElsewhere) mounted.focus()
    }
    load().catch(() => {
      notify(
        'The source could not be loaded. Reload the page once the service can be reached.',
        'problem',
      )
      viewMode(session).set('page')
    })
    return () => {
      isGone = true
      mounted?.destroy()
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
