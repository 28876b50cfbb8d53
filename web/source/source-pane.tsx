/** The source beside the page or instead of it; the editor in it is loaded when shown. */
import { useEffect, useRef, useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import { isWritable } from '../editor/writable.ts'
import type { DocumentSession } from '../live/session.ts'
import { textSize } from '../platform/look.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import type { SourceEditor } from './source-editor.ts'
import { viewMode } from './view-mode.ts'

export interface SourcePaneProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function SourcePane(props: SourcePaneProps) {
  const { session, editor } = props
  const mode = useStore(viewMode(session))
  const last = useRef(mode)
  useEffect(() => {
    if (mode === 'page' && last.current !== 'page') editor.view.focus()
    last.current = mode
  }, [mode, editor])
  useEffect(() => {
    document.documentElement.dataset['view'] = mode
    return () => {
      delete document.documentElement.dataset['view']
    }
  }, [mode])
  return mode === 'page' ? null : <Source {...props} isAlone={mode === 'source'} />
}

function Source({ session, editor, actions, isAlone }: SourcePaneProps & { isAlone: boolean }) {
  const parent = useRef<HTMLDivElement>(null)
  const [source, setSource] = useState<SourceEditor>()
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
      // Who writes on the page goes on there while both are to be seen.
      if (!editor.view.hasFocus()) mounted.focus()
    }
    load().catch(() => {
      notify('The source could not be loaded. It needs the service the first time.', 'problem')
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
