/**
 * The discussion of a document: nothing on the page until there is something to show. What is drawn
 * is loaded then; what begins it (a key, an address, a kept draft) is heard from the start.
 */
import { NodeSelection, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useEffect } from 'react'
import { keepPlace, takePlace } from '../editor/binding/pending-places.ts'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { Editor } from '../editor/editor.ts'
import { spanOf } from '../editor/model/doc-range.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import type { DocumentSession } from '../live/session.ts'
import { Later, laterPart } from '../platform/later.tsx'
import { notify } from '../platform/notices.ts'
import { useSelected, useStore } from '../platform/store.ts'
import { nobody } from '../platform/this-browser.ts'
import { discussionStateOf, highlightActive } from './discussion-state.ts'
import { draftOf, newOne } from './drafts.ts'
import { draftId, highlightClass, markDraft } from './highlights.ts'
import { followLostWords } from './lost-words.ts'
import { threadsOf } from './thread-store.ts'

const margin = laterPart(async () => (await import('./margin.tsx')).Margin)

export interface DiscussionProps {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly actions: PageActions
}

export function Discussion({ session, editor, actions }: DiscussionProps) {
  const discussion = discussionStateOf(session)
  const hasThreads = useSelected(threadsOf(session).all, (all) => all.length > 0)
  const isWriting = useSelected(discussion.subject, (subject) => subject !== undefined)
  const isAsked = useStore(discussion.isSheetOpen)
  const isFiltered = useSelected(discussion.filter, ({ kind }) => kind !== 'open')
  useEffect(() => highlightActive(discussion, highlightClass), [discussion])
  useEffect(() => followLostWords(session, editor.view), [session, editor])
  useMayBegin({ session, editor, actions })
  usePrepared(editor)
  useKeptDraft(session, editor)
  useEmptyDraft(session, editor)
  useFocusAddress(session, editor)
  if (!hasThreads && !isWriting && !isAsked && !isFiltered) return null
  return <Later part={margin} props={{ session, editor, actions }} />
}

function useMayBegin({ session, editor, actions }: DiscussionProps): void {
  const role = useStore(session.role)
  const flags = useStore(session.flags)
  const isWriter = role === 'owner' || role === 'editor' || role === 'commenter'
  const isOff = flags?.comments_disabled === true
  useEffect(() => {
    const stops = [
      actions.handle('comments', () => discussionStateOf(session).isSheetOpen.set(true)),
      ...(isWriter
        ? [
            actions.handle('comment', () => {
              if (isOff) notify('Comments are turned off.')
              else void beginHere(session, editor.view)
            }),
          ]
        : []),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [actions, session, editor, isWriter, isOff])
}

type NewComment = typeof import('./new-comment.ts')

/** The part that begins comments, once it was loaded. */
let loaded: NewComment | undefined

/** Undefined: it cannot be had, and that has been said. */
async function loadNew(): Promise<NewComment | undefined> {
  loaded ??= await import('./new-comment.ts').catch(() => undefined)
  if (loaded === undefined)
    notify('Comments could not be loaded. Try again when you are online.', 'problem')
  return loaded
}

/**
 * Who selects something may comment on it, and types at once: by then the field is there, or the
 * first words would go into the text.
 */
function usePrepared({ view }: Editor): void {
  useEffect(() => {
    const stop = onViewUpdate(view, ({ state }) => {
      if (state.selection.empty) return
      stop()
      // What cannot be had now is asked for again when it is used.
      const loading = [import('./new-comment.ts').then((part) => (loaded = part)), margin.load()]
      void Promise.allSettled(loading)
    })
    return stop
  }, [view])
}

/** About what is selected now, whatever is written before that part is here. */
async function beginHere(session: DocumentSession, view: EditorView): Promise<void> {
  // At once: the next key is of the comment.
  const { selection: meant } = view.state
  const isNode = meant instanceof NodeSelection
  if (loaded !== undefined) return loaded.beginComment(session, view, { ...spanOf(meant), isNode })
  const place = keepPlace(view, isNode ? meant : spanOf(meant))
  const { tr, doc, selection } = view.state
  // What is typed at once is not to go over the words that are meant.
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(selection.to), -1)))
  const part = await loadNew()
  if (view.isDestroyed) return
  part?.beginComment(session, view, { ...takePlace(view, place), isNode })
}

/** Where the address leads to a comment. */
function useFocusAddress(session: DocumentSession, editor: Editor): void {
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('focus')) return undefined
    let stop: (() => void) | undefined
    let isGone = false
    void import('./focus-address.ts').then(
      ({ followFocus }) => {
        if (!isGone) stop = followFocus(session, editor.view)
      },
      () =>
        notify('The linked comment could not be loaded. Reload the page to try again.', 'problem'),
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [session, editor])
}

/** A comment that was begun before the page was loaded again. */
function useKeptDraft(session: DocumentSession, editor: Editor): void {
  useEffect(() => {
    const discussion = discussionStateOf(session)
    const begin = () => {
      if (!session.hasArrived.get()) return
      stop()
      const actor = session.account.get()?.actor_id ?? nobody
      const draft = draftOf({ actor, slug: session.slug, of: newOne })
      const subject = discussion.subject.get() ?? draft?.subject
      if (subject === undefined) return
      discussion.subject.set(subject)
      void loadNew().then((part) => part?.markSubject(editor.view, subject))
    }
    const stop = session.hasArrived.subscribe(begin)
    queueMicrotask(begin)
    return stop
  }, [session, editor])
}

/** Who leaves a new comment without a word has not begun one. */
function useEmptyDraft(session: DocumentSession, editor: Editor): void {
  useEffect(() => {
    const discussion = discussionStateOf(session)
    let before = discussion.active.get()
    return discussion.active.subscribe(() => {
      const [left, now] = [before, discussion.active.get()]
      before = now
      const actor = session.account.get()?.actor_id ?? nobody
      const isWritten = (draftOf({ actor, slug: session.slug, of: newOne })?.text ?? '') !== ''
      if (left !== draftId || now === draftId || isWritten) return
      discussion.subject.set(undefined)
      if (!editor.view.isDestroyed) markDraft(editor.view, undefined)
    })
  }, [session, editor])
}
