/**
 * Suggestions in the text, as far as every page has them: the keys that change the mode, and the
 * rest with its first use, by one's own hand where somebody has suggested something, or where this device
 * keeps a draft.
 */
import { useEffect, useMemo, useState } from 'react'
import type { PageActions } from '../editor/commands/page-actions.ts'
import { type EditingMode, modesOf } from '../editor/mode.ts'
import type { DocumentSession } from '../live/session.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { notify } from '../platform/notices.ts'
import { useSelected, useStore } from '../platform/store.ts'
import { rememberedActor } from '../platform/this-browser.ts'
import { threadsOf } from '../threads/thread-store.ts'
import { hasKeptDraft } from './draft-storage.ts'
import type { SuggestingProps } from './suggestion-chrome.tsx'

const suggestionChrome = laterPart(
  async () => (await import('./suggestion-chrome.tsx')).SuggestionChrome,
)

export function Suggesting(props: SuggestingProps) {
  const { session, actions } = props
  useModeKeys(session, actions)
  const suggests = useStore(modesOf(session).mode) === 'suggesting'
  const isSuggested = useSelected(threadsOf(session).all, (threads) =>
    threads.some(({ suggestions }) => suggestions.pending > 0),
  )
  const actor = useStore(session.account)?.actor_id ?? rememberedActor()
  const isKept = useMemo(() => hasKeptDraft({ slug: session.slug, actor }), [session, actor])
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    if (suggests || isSuggested || isKept) setNeeded(true)
  }, [suggests, isSuggested, isKept])
  if (!isNeeded) return null
  const giveUp = () => modesOf(session).choose('viewing')
  return <Later part={suggestionChrome} props={props} {...(suggests && { onMissing: giveUp })} />
}

const said: Readonly<Record<EditingMode, string>> = {
  editing: 'Editing: what you type changes the document.',
  suggesting: 'Suggesting: what you type is a suggestion.',
  viewing: 'Viewing: the document cannot be changed.',
}

function useModeKeys(session: DocumentSession, actions: PageActions): void {
  useEffect(() => {
    const { allowed, mode: current, choose } = modesOf(session)
    /** What was said of the mode is true no longer than one is in it. */
    let untell: (() => void) | undefined
    const to = (mode: EditingMode) => () => {
      const may = allowed.get().includes(mode)
      if (may) choose(mode)
      untell?.()
      untell = notify(may ? said[mode] : 'You do not have permission to do this.')
    }
    const stops = [
      actions.handle('mode-editing', to('editing')),
      actions.handle('mode-suggesting', to('suggesting')),
      actions.handle('mode-viewing', to('viewing')),
      current.subscribe(() => untell?.()),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [session, actions])
}
