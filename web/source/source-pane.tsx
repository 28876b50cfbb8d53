/** Whether the source is shown, beside the page or instead of it; it is loaded when it is. */
import { useEffect, useRef } from 'react'
import { Later, laterPart } from '../platform/later.tsx'
import { useStore } from '../platform/store.ts'
import { pagePane } from './panes.ts'
import { keepScrollAnchor } from './scroll-anchor.ts'
import { type Place, placeOf, showPlace } from './scroll-together.ts'
import type { SourcePaneProps } from './source.tsx'
import { type ViewMode, viewMode } from './view-mode.ts'

const source = laterPart(async () => (await import('./source.tsx')).Source)

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
  useEffect(() => keepScrollAnchor(editor.view), [editor])
  if (mode === 'page') return null
  const onMissing = () => viewMode(session).set('page')
  return (
    <Later
      part={source}
      props={{ ...props, isAlone: mode === 'source', place }}
      meanwhile={<section className="source" aria-label="Source" aria-busy />}
      onMissing={onMissing}
    />
  )
}

/** For the style sheets. */
function showMode(mode: ViewMode): void {
  document.documentElement.dataset['view'] = mode
}
