/**
 * Where something is written in the discussion: a field that grows, keeps what is in it on the
 * device until it is sent, and offers whom to mention behind an @. Enter writes a line, Mod-Enter
 * sends, Escape leaves and keeps it.
 */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { isComposing } from '../platform/composing.ts'
import { keyName } from '../platform/key-names.ts'
import { OfferedReport } from '../platform/offered-report.tsx'
import { useStore } from '../platform/store.ts'
import { useDiscussion } from './discussion-context.tsx'
import type { Subject } from './discussion-state.ts'
import { draftOf, dropDraft, keepDraft, newKey } from './drafts.ts'
import { MentionList } from './mention-list.tsx'
import { useMentions } from './mentions.ts'
import { problemOf, unreachableWords } from './words.ts'

export interface ComposerProps {
  /** What a draft is kept by: a thread's id, a comment's, or `new`. */
  readonly of: string
  readonly label: string
  readonly placeholder?: string
  /** On the button. */
  readonly sends: string
  readonly initial?: string
  readonly subject?: Subject
  readonly isFocused?: boolean
  /** Throws what stands in its way. */
  send(text: string, key: string): Promise<unknown>
  onSent?(): void
  /** Not given: one cannot leave it. */
  onLeave?(): void
  /** Beside the button. */
  readonly more?: (text: string, sent: () => void) => ReactNode
}

function useDraft({ of, initial = '', subject }: ComposerProps) {
  const { session, me } = useDiscussion()
  const which = { actor: me, slug: session.slug, of }
  const [draft, setDraft] = useState(
    () => draftOf(which) ?? { ...which, text: initial, key: newKey() },
  )
  const write = (text: string) => {
    const next = { ...draft, ...which, text, key: newKey(), ...(subject && { subject }) }
    setDraft(next)
    keepDraft(text === initial ? { ...next, text: '' } : next)
  }
  const drop = () => {
    dropDraft(which)
    setDraft({ ...which, text: '', key: newKey() })
  }
  return { text: draft.text, key: draft.key, write, drop }
}

export function Composer(props: ComposerProps) {
  const { session, standing } = useDiscussion()
  const { text, key, write, drop } = useDraft(props)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const mentions = useMentions({ slug: session.slug, field, write })
  const hasName = useStore(session.account) !== undefined
  useEffect(() => {
    if (props.isFocused === true) field.current?.focus({ preventScroll: true })
  }, [props.isFocused])
  const sent = () => {
    drop()
    props.onSent?.()
  }
  const send = async () => {
    if (isSending || text.trim() === '' || standing.isOffline || !standing.mayComment) return
    // Its button is disabled meanwhile, which would lose the focus.
    if (field.current?.form?.contains(document.activeElement)) field.current.focus()
    setSending(true)
    setProblem(undefined)
    session.outgoing.report(field, 'comment', 1)
    try {
      if (!hasName) await session.takeAccount()
      await props.send(text.trim(), key)
      sent()
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      session.outgoing.report(field, 'comment', 0)
      setSending(false)
    }
  }
  const unreachable = mentions.unreachableIn(text)
  const said =
    standing.why ?? problem ?? standing.away ?? (unreachable && unreachableWords(unreachable))
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        className="composer-field"
        aria-label={props.label}
        placeholder={props.placeholder}
        rows={1}
        value={text}
        maxLength={16_000}
        aria-controls={mentions.found.length > 0 ? listId : undefined}
        aria-activedescendant={
          mentions.found.length > 0 ? `${listId}-${mentions.chosen}` : undefined
        }
        aria-autocomplete="list"
        onChange={(event) => {
          write(event.target.value)
          mentions.look()
        }}
        onSelect={mentions.look}
        onBlur={mentions.close}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (mentions.onKey(event)) return
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            event.preventDefault()
            void send()
          } else if (event.key === 'Escape' && props.onLeave !== undefined) {
            event.stopPropagation()
            props.onLeave()
          }
        }}
      />
      <MentionList id={listId} mentions={mentions} />
      {said === undefined ? null : (
        <p
          className="composer-said"
          role="status"
          data-problem={problem !== undefined || undefined}
        >
          {said}
          {said === problem ? <OfferedReport key={said} /> : null}
        </p>
      )}
      <div className="composer-foot">
        {props.more?.(text.trim(), sent)}
        <span className="composer-space" />
        {props.onLeave === undefined ? null : (
          <button type="button" className="button" onClick={props.onLeave}>
            Cancel
          </button>
        )}
        <button
          type="submit"
          className="button button-primary"
          title={`${props.sends} (${keyName('Mod-Enter')})`}
          disabled={text.trim() === '' || isSending || standing.isOffline || !standing.mayComment}
        >
          {props.sends}
        </button>
      </div>
    </form>
  )
}
