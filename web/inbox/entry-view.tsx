/** One thing that waits: who, where, what; answered or decided in place, or followed. */
import { X } from 'lucide-react'
import { useState } from 'react'
import type { InboxEntry } from '../api/inbox.ts'
import { type Decision, decide, say } from '../api/threads.ts'
import { Picture } from '../authors/picture.tsx'
import { Age } from '../platform/age.tsx'
import { notify } from '../platform/notices.ts'
import { DecisionButtons } from '../threads/decision-buttons.tsx'
import { newKey } from '../threads/drafts.ts'
import { SuggestedWords } from '../threads/suggested-words.tsx'
import { problemOf } from '../threads/words.ts'
import { addressOf, asksFor } from './waiting.ts'

interface EntryViewProps {
  readonly entry: InboxEntry
  readonly onSettled: (entry: InboxEntry) => void
  readonly onFollow: ((entry: InboxEntry) => boolean) | undefined
  /** Of the document that is open nothing more needs to be said. */
  readonly isHere: boolean
  /** The colour of the actor, as the rest of the page has it. */
  readonly hue: number
}

export function EntryView({ entry, onSettled, onFollow, isHere, hue }: EntryViewProps) {
  const { actor, comment, document, notify: asked } = entry
  const quote = quoteBeside(entry)
  const words = asked?.line ?? comment?.text ?? ''
  const [isBusy, setBusy] = useState(false)
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
      onSettled(entry)
    } catch (error) {
      notify(problemOf(error), 'problem')
    }
    setBusy(false)
  }
  return (
    <li className="waiting" aria-busy={isBusy}>
      <Picture peer={{ actor: actor.actor_id, name: actor.name }} hue={hue} />
      <div className="waiting-body">
        <a
          className="waiting-link"
          href={addressOf(entry)}
          onClick={(event) => {
            const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey)
            if (isPlain && onFollow?.(entry) === true) event.preventDefault()
            // Whoever is only meant has heard of it then; what is asked stays until it is answered.
            if (asksFor(entry) === undefined) onSettled(entry)
          }}
        >
          <span className="waiting-who">{actor.name}</span> {saidOf(entry)}
          {isHere || document === null ? null : <> in {document.title || 'Untitled'}</>}
        </a>{' '}
        <Age className="comment-when" at={Date.parse(entry.at)} />
        {quote === null ? null : (
          <p className="waiting-quote" dir="auto">
            {quote}
          </p>
        )}
        {words === '' ? null : (
          <p className="waiting-text" dir="auto">
            {words}
          </p>
        )}
        <Answers entry={entry} isBusy={isBusy} act={act} />
      </div>
      <button
        type="button"
        className="button button-icon"
        aria-label="Dismiss"
        title="Dismiss"
        onClick={() => onSettled(entry)}
      >
        <X aria-hidden />
      </button>
    </li>
  )
}

/** Null where a suggestion says the words itself. */
function quoteBeside({ quote, comment }: InboxEntry): string | null {
  const { suggestion } = comment ?? {}
  const isSaid = suggestion?.status === 'pending' && suggestion.old_string.includes(quote ?? '')
  return isSaid ? null : quote
}

function saidOf(entry: InboxEntry): string {
  const { comment, event, notify: asked } = entry
  if (event === 'webhook.failing') return 'has a webhook that has failed for an hour'
  if (event === 'webhook.recovered') return 'has a webhook that works again'
  if (comment?.suggestion?.status === 'pending') return 'suggests a change'
  if (asked?.kind === 'blocked') return 'is waiting for you'
  if (asked?.kind === 'decision') return 'asks you to decide'
  return 'mentions you'
}

interface AnswersProps {
  readonly entry: InboxEntry
  readonly isBusy: boolean
  readonly act: (work: () => Promise<unknown>) => void
}

function Answers({ entry, isBusy, act }: AnswersProps) {
  const { comment, document, notify: asked, thread_id: thread } = entry
  if (comment === null || document === null || thread === null) return null
  if (asksFor(entry) === undefined) return null
  const { suggestion } = comment
  if (suggestion?.status === 'pending') {
    const choose = (as: Decision) => act(() => decide(document.id, comment.id, as))
    return (
      <>
        <p className="waiting-change">
          <SuggestedWords old={suggestion.old_string} now={suggestion.new_string} />
        </p>
        <p className="waiting-answers">
          <DecisionButtons mayAccept={!isBusy} mayReject={!isBusy} onDecide={choose} />
        </p>
      </>
    )
  }
  return (
    <p className="waiting-answers">
      {asked?.options?.map(({ label, answer }) => (
        <button
          key={label}
          type="button"
          className="button button-line"
          title={answer}
          disabled={isBusy}
          onClick={() => act(() => say(document.id, { text: answer, thread_id: thread }, newKey()))}
        >
          {label}
        </button>
      ))}
    </p>
  )
}
