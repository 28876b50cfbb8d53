/** A comment that is being written on words of the text, or on a block. */
import { useEffect, useRef } from 'react'
import { ApiError } from '../api/http.ts'
import { say } from '../api/threads.ts'
import { hasMargin } from '../platform/media.ts'
import { notify, notifyWhile } from '../platform/notices.ts'
import { Composer } from './composer.tsx'
import { useDiscussion } from './discussion-context.tsx'
import type { Subject } from './discussion-state.ts'
import { draftOf, dropDraft, keepDraft, newOne } from './drafts.ts'
import { draftId, markDraft, rangesIn } from './highlights.ts'
import { goBackFromDraft, markSubject, subjectNow } from './new-comment.ts'

export function NewCommentForm({ subject }: { readonly subject: Subject }) {
  const { session, editor, threads, discussion, me } = useDiscussion()
  const { view } = editor
  const said = useRef('')
  const which = { actor: me, slug: session.slug, of: newOne }
  const about = useRef<HTMLQuoteElement>(null)
  const form = () => about.current?.parentElement
  useEffect(() => {
    const take = () => {
      if (discussion.answers.get() !== draftId) return
      discussion.answers.set(undefined)
      about.current?.parentElement?.querySelector('textarea')?.focus()
    }
    take()
    return discussion.answers.subscribe(take)
  }, [discussion])
  const end = (is: 'selected' | 'behind') => {
    // Where there is no margin the thread stays over the text.
    const goesBack = is === 'selected' || hasMargin.get()
    if (goesBack && form()?.contains(document.activeElement)) goBackFromDraft(view, is)
    if (!view.isDestroyed) markDraft(view, undefined)
    discussion.subject.set(undefined)
  }
  const send = async (text: string, key: string) => {
    // What the comment is about has to be there for the service too.
    if (!(await session.allSaved())) throw new ApiError(0, 'OFFLINE', '')
    const now = subjectNow(view, subject, rangesIn(view.state).get(draftId))
    if (now === undefined) throw new ApiError(0, 'NOT_FOUND', '')
    const { place, block } = now
    const target = { ...(place && { place }), ...(block && { block_id: block }) }
    const made = await say(session.slug, { text, ...target }, key)
    if (made.warning !== undefined) notify(made.warning)
    await threads.refresh([made.thread_id])
    said.current = made.thread_id
  }
  const discard = () => {
    const draft = draftOf(which)
    dropDraft(which)
    end('selected')
    discussion.close()
    if (draft === undefined || draft.text === '') return
    const undo = () => {
      keepDraft(draft)
      discussion.subject.set(subject)
      markSubject(view, subject)
      discussion.open(draftId)
    }
    const facts = {
      isTrue: () => discussion.subject.get() === undefined,
      changes: discussion.subject,
    }
    notifyWhile(facts, 'Comment discarded.', 'plain', { label: 'Undo', run: undo })
  }
  return (
    <>
      <blockquote ref={about} className="new-about" dir="auto">
        {subject.words === '' ? 'This block' : subject.words}
      </blockquote>
      <Composer
        of={newOne}
        label="Comment"
        placeholder="Comment or mention with @"
        sends="Comment"
        subject={subject}
        isFocused
        send={send}
        onSent={() => {
          end('behind')
          discussion.open(said.current)
        }}
        onLeave={discard}
      />
    </>
  )
}
