/** A thread as a card in the margin, and what the keyboard does on it. */
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import type { Thread } from '../api/threads.ts'
import { isComposing } from '../platform/composing.ts'
import { useSelected } from '../platform/store.ts'
import { useDiscussion, useSpeaker } from './discussion-context.tsx'
import type { MarginLayout } from './margin-layout.ts'
import { goBackToText } from './navigation.ts'
import { ThreadView } from './thread-view.tsx'
import { unreadOf } from './unread.ts'

interface CardProps {
  readonly thread: Thread
  readonly layout: MarginLayout
  /** Where it stands whatever the text; else it stands at its line. */
  readonly place?: string
}

export const Card = memo(function Card({ thread, layout, place = thread.id }: CardProps) {
  const { discussion, editor, session } = useDiscussion()
  const { id } = thread
  const isOpen = useSelected(discussion.active, (active) => active === id)
  const isLit = useSelected(discussion.hovered, (hovered) => hovered.includes(id))
  const isUnread = useSelected(unreadOf(session).ids, (ids) => ids.has(id))
  const { called: name } = useSpeaker(thread.comments[0]?.by ?? '')
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = card.current
    layout.put(place, element)
    return () => layout.put(place, null)
  }, [layout, place])
  useEffect(() => {
    if (isOpen) unreadOf(session).read(thread)
  }, [isOpen, session, thread])
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const { target } = event
    // From a button of the card, too; a field has its own Escape, and so has a menu.
    const isOfButton = target instanceof HTMLButtonElement && card.current?.contains(target)
    const leaves = isOfButton === true && event.key === 'Escape' && !event.defaultPrevented
    if (target !== card.current && !leaves) return
    if (event.key === 'Enter' || event.key === 'r') {
      discussion.answers.set(id)
      if (isOpen) card.current?.querySelector('textarea')?.focus()
      discussion.open(id)
    } else if (event.key === 'Escape') {
      discussion.close()
      goBackToText(editor.view, id)
    } else return
    event.preventDefault()
  }
  const words = thread.quote ?? thread.words ?? ''
  return (
    <article
      ref={card}
      className="talk-card"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a thread is a stop of the keyboard
      tabIndex={0}
      aria-label={`${name}${words === '' ? '' : `, on “${words.slice(0, 60)}”`}`}
      data-thread={id}
      data-open={isOpen || undefined}
      data-lit={isLit || undefined}
      data-unread={isUnread || undefined}
      onClick={() => isOpen || discussion.open(id)}
      onKeyDown={onKey}
      onMouseEnter={() => discussion.hovered.set([id])}
      onMouseLeave={() => discussion.hovered.set([])}
    >
      <ThreadView thread={thread} isOpen={isOpen} isUnread={isUnread} />
    </article>
  )
})
