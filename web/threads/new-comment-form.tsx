/** A comment that is being written on words of the text, or on a block. */
import { useRef } from 'react'
import { ApiError } from '../api/http.ts'
import { say } from '../api/threads.ts'
import { notify } from '../platform/notices.ts'
import { Composer } from './composer.tsx'
import type { Subject } from './desk.ts'
import { draftOf, dropDraft, keepDraft } from './drafts.ts'
import { draftId, markDraft, rangesIn } from './highlights.ts'
import { markSubject, subjectNow } from './new-comment.ts'
import { useTalk } from './talk.tsx'

const newOne = 'new'

export function NewCommentForm({ subject }: { readonly subject: Subject }) {
  const { session, editor, threads, desk, me } = useTalk()
  const { view } = editor
  const said = useRef('')
  const which = { actor: me, slug: session.slug, of: newOne }
  const end = () => {
    if (!view.isDestroyed) markDraft(view, undefined)
    desk.subject.set(undefined)
  }
  const send = async (text: string, key: string) => {
    // What the comment is about has to be there for the service too.
    if (!(await session.allSaved())) throw new ApiError(0, 'OFFLINE', '')
    const about = subjectNow(view, subject, rangesIn(view.state).get(draftId))
    if (about === undefined) throw new ApiError(0, 'NOT_FOUND', '')
    const { place, block } = about
    const target = { ...(place && { place }), ...(block && { block_id: block }) }
    const made = await say(session.slug, { text, ...target }, key)
    if (made.warning !== undefined) notify(made.warning)
    await threads.refresh([made.thread_id])
    said.current = made.thread_id
  }
  const discard = () => {
    const draft = draftOf(which)
    dropDraft(which)
    end()
    desk.close()
    if (draft === undefined || draft.text === '') return
    const undo = () => {
      keepDraft(draft)
      desk.subject.set(subject)
      markSubject(view, subject)
      desk.open(draftId)
    }
    notify('Comment discarded.', 'plain', { label: 'Undo', run: undo })
  }
  return (
    <>
      <blockquote className="new-about" dir="auto">
        {subject.words === '' ? 'This block' : subject.words}
      </blockquote>
      <Composer
        of={newOne}
        label="Comment"
        placeholder="Comment, @ to mention"
        sends="Comment"
        subject={subject}
        isFocused
        send={send}
        onSent={() => {
          end()
          desk.open(said.current)
        }}
        onLeave={discard}
      />
    </>
  )
}
