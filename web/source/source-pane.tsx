/** The source beside the page or instead of it; the editor in it is loaded when shown. */
import { useEffect, useRef, useState } from 'react'
import type { Editor } from '../editor/editor.ts'
import { isWritable } from '../editor/writable.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import type { SourceEditor } from './source-editor.ts'
import { viewMode } from './view-mode.ts'

export interface SourcePaneProps {
  readonly session: DocumentSession
  readonly editor: Editor
}

export function SourcePane({ session, editor }: SourcePaneProps) {
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
  return mode === 'page' ? null : <Source session={session} editor={editor} />
}

function Source({ session, editor }: SourcePaneProps) {
  const parent = useRef<HTMLDivElement>(null)
  const [isLoading, setLoading] = useState(true)
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
      setLoading(false)
      // Who writes on the page goes on there while both are to be seen.
      if (!editor.view.hasFocus()) mounted.focus()
    }
    load().catch(() => notify('The source could not be loaded.', 'problem'))
    return () => {
      isGone = true
      mounted?.destroy()
    }
  }, [session, editor])
  return (
    <section className="source" aria-label="Source" aria-busy={isLoading}>
      <div className="source-place" ref={parent} />
    </section>
  )
}
