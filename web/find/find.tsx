/**
 * Opens find and replace: by its keys anywhere on the page, but where something of its own answers
 * them (the source does), and by the text's commands.
 */
import {
  type KeyboardEvent as KeyEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { isComposing } from '../platform/composing.ts'
import { dockUnderBar } from '../platform/docked.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { useStore } from '../platform/store.ts'
import { viewMode } from '../source/view-mode.ts'
import { FindField } from './find-field.tsx'

const findBar = laterPart(async () => (await import('./find-bar.tsx')).FindBar)

interface Asked {
  readonly replaces: boolean
  readonly times: number
  /** What the field began with, and what it says now. */
  readonly begun: string
  readonly text: string
}

export interface FindProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function Find({ session, editor, actions }: FindProps) {
  const [asked, setAsked] = useState<Asked>()
  const mode = useStore(viewMode(session))
  useEffect(() => {
    // At once: the next key is the field's.
    const ask = (replaces: boolean) =>
      flushSync(() =>
        setAsked((before) => {
          const begun = before?.begun ?? selectedText(editor)
          const times = (before?.times ?? 0) + 1
          return { replaces, times, begun, text: before?.text ?? begun }
        }),
      )
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || event.altKey || event.shiftKey) return
      if (!(event.metaKey || event.ctrlKey) || viewMode(session).get() === 'source') return
      const key = event.key.toLowerCase()
      if (key !== 'f' && key !== 'h') return
      event.preventDefault()
      ask(key === 'h')
    }
    const stops = [
      actions.handle('find', () => ask(false)),
      actions.handle('replace', () => ask(true)),
    ]
    window.addEventListener('keydown', onKey)
    return () => {
      for (const stop of stops) stop()
      window.removeEventListener('keydown', onKey)
    }
  }, [session, editor, actions])
  const close = useCallback(() => {
    setAsked(undefined)
    editor.view.focus()
  }, [editor])
  if (asked === undefined || mode === 'source') return null
  const onKey = (event: KeyEvent) => {
    if (event.key !== 'Escape' || isComposing(event)) return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  const onText = (text: string) => setAsked((before) => before && { ...before, text })
  const field = { text: asked.text, onText, begun: asked.begun, asked: asked.times }
  return (
    <Strip onKey={onKey}>
      <Later
        part={findBar}
        props={{ session, editor, field, replaces: asked.replaces, onClose: close }}
        meanwhile={<FindField {...field} />}
        onMissing={close}
      />
    </Strip>
  )
}

interface StripProps {
  readonly onKey: (event: KeyEvent) => void
  readonly children: ReactNode
}

/** Under the bar, over no text. */
function Strip({ onKey, children }: StripProps) {
  const strip = useRef<HTMLElement>(null)
  useLayoutEffect(() => (strip.current === null ? undefined : dockUnderBar(strip.current)), [])
  return (
    <search ref={strip} className="find-bar" aria-label="Find and replace" onKeyDown={onKey}>
      {children}
    </search>
  )
}

const prefillMaxChars = 200

/** What is selected within one line, to be looked for. */
function selectedText({ view }: Editor): string {
  const { from, to, $from, $to } = view.state.selection
  if (!$from.sameParent($to) || to - from > prefillMaxChars) return ''
  const text = view.state.doc.textBetween(from, to, undefined, '\ufffc')
  return /[\n\ufffc]/.test(text) ? '' : text
}
