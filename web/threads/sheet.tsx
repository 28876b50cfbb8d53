/**
 * Where there is no margin: bubbles with a count at the ends of lines, and a sheet from the bottom
 * with one thread or all of them.
 */
import { ArrowDown, ArrowLeft, ArrowUp, MessageSquare, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import type { Thread } from '../api/threads.ts'
import { useAboveKeyboard } from '../platform/above-keyboard.ts'
import { isComposing } from '../platform/composing.ts'
import { countedNoun } from '../platform/counted-noun.ts'
import { IconButton } from '../platform/icon-button.tsx'
import { useSelected, useStore } from '../platform/store.ts'
import { useDiscussion } from './discussion-context.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { draftId } from './highlights.ts'
import type { MarginLayout } from './margin-layout.ts'
import { goBackToText, nextFrom, showWords } from './navigation.ts'
import { NewCommentForm } from './new-comment-form.tsx'
import { ThreadView } from './thread-view.tsx'
import { unreadOf } from './unread.ts'
import { useThreads } from './use-threads.ts'

export function Narrow({ layout }: { readonly layout: MarginLayout }) {
  const { discussion } = useDiscussion()
  const shown = useThreads(layout)
  const isOpen = useStore(discussion.isSheetOpen)
  const hasAny = shown.some(({ orphaned }) => !orphaned)
  useEffect(() => {
    document.documentElement.toggleAttribute('data-bubbles', hasAny)
    return () => document.documentElement.removeAttribute('data-bubbles')
  }, [hasAny])
  return (
    <>
      <Bubbles layout={layout} shown={shown} />
      {isOpen ? <Sheet shown={shown} /> : null}
    </>
  )
}

const bubblePx = 26

interface BubblesProps {
  readonly layout: MarginLayout
  readonly shown: readonly Thread[]
}

function Bubbles({ layout, shown }: BubblesProps) {
  const lines = useStore(layout.lines)
  const near = useStore(layout.near)
  const bubbles = useMemo(() => {
    const byId = new Map(shown.map((thread) => [thread.id, thread]))
    const all = lines.map(([place = '', ...ids]) => ({
      place,
      threads: [place, ...ids].flatMap((id) => byId.get(id) ?? []),
    }))
    return all.filter(({ threads }) => threads.length > 0)
  }, [lines, shown])
  useEffect(() => {
    layout.show(
      bubbles.map(({ place }) => place),
      bubblePx,
    )
  }, [layout, bubbles])
  return (
    <div className="bubbles" ref={layout.column}>
      {bubbles
        .filter(({ place }) => near.has(place))
        .map(({ place, threads }) => (
          <Bubble key={place} place={place} threads={threads} layout={layout} />
        ))}
    </div>
  )
}

interface BubbleProps {
  readonly place: string
  readonly threads: readonly Thread[]
  readonly layout: MarginLayout
}

function Bubble({ place, threads, layout }: BubbleProps) {
  const { discussion, session } = useDiscussion()
  const ids = threads.map(({ id }) => id)
  const isOpen = useSelected(discussion.active, (active) => ids.includes(active ?? ''))
  const isUnread = useSelected(unreadOf(session).ids, (unread) => ids.some((id) => unread.has(id)))
  const count = threads.reduce((sum, { comments_info: { total } }) => sum + total, 0)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    layout.put(place, button.current)
    return () => layout.put(place, null)
  }, [layout, place])
  return (
    <button
      ref={button}
      type="button"
      className="bubble"
      aria-label={`${countedNoun(count, 'comment')}${isUnread ? ', unread' : ''}`}
      data-open={isOpen || undefined}
      data-unread={isUnread || undefined}
      onMouseEnter={() => discussion.hovered.set(ids)}
      onMouseLeave={() => discussion.hovered.set([])}
      onClick={() => discussion.point(ids)}
    >
      <MessageSquare aria-hidden />
      <span aria-hidden>{count}</span>
    </button>
  )
}

function Sheet({ shown }: { readonly shown: readonly Thread[] }) {
  const { discussion, editor, session } = useDiscussion()
  const active = useStore(discussion.active)
  const subject = useStore(discussion.subject)
  const sheet = useAboveKeyboard<HTMLElement>()
  const thread = shown.find(({ id }) => id === active)
  const isNew = active === draftId && subject !== undefined
  useEffect(() => {
    if (active === undefined) return
    showWords(editor.view, active)
    if (thread !== undefined) unreadOf(session).read(thread)
  }, [active, editor, session, thread])
  const leave = () => {
    const id = active
    discussion.close()
    if (id !== undefined) goBackToText(editor.view, id)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) leave()
  }
  return (
    <aside ref={sheet} className="talk-sheet" aria-label="Comments" tabIndex={-1} onKeyDown={onKey}>
      <SheetHead shown={shown} thread={thread} isNew={isNew} onLeave={leave} />
      <div className="talk-sheet-body">
        {isNew ? (
          <section className="talk-card" aria-label="New comment" data-open>
            <NewCommentForm subject={subject} />
          </section>
        ) : thread === undefined ? (
          <All shown={shown} />
        ) : (
          <article
            key={thread.id}
            className="talk-card"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a thread is a stop of the keyboard
            tabIndex={0}
            data-thread={thread.id}
            data-open
            aria-label="Comment"
          >
            {thread.quote === null ? null : (
              <blockquote className="new-about" dir="auto">
                {thread.quote}
              </blockquote>
            )}
            <ThreadView thread={thread} isOpen isUnread={false} />
          </article>
        )}
      </div>
    </aside>
  )
}

interface SheetHeadProps {
  readonly shown: readonly Thread[]
  readonly thread: Thread | undefined
  readonly isNew: boolean
  readonly onLeave: () => void
}

function SheetHead({ shown, thread, isNew, onLeave }: SheetHeadProps) {
  const { discussion, editor } = useDiscussion()
  const ids = shown.map(({ id }) => id)
  const go = (way: 1 | -1) => {
    const next = nextFrom(editor.view, ids, { active: thread?.id, way })
    if (next !== undefined) discussion.open(next)
  }
  return (
    <header className="talk-sheet-head">
      {thread === undefined ? null : (
        <IconButton
          label="All comments"
          icon={ArrowLeft}
          onClick={() => discussion.active.set(undefined)}
        />
      )}
      {thread === undefined && !isNew ? (
        <FilterMenu count={shown.length} />
      ) : (
        <span className="talk-sheet-where">
          {isNew ? 'New comment' : `${ids.indexOf(thread?.id ?? '') + 1} of ${ids.length}`}
        </span>
      )}
      <span className="composer-space" />
      {thread !== undefined && ids.length > 1 ? (
        <>
          <IconButton label="Previous comment" icon={ArrowUp} onClick={() => go(-1)} />
          <IconButton label="Next comment" icon={ArrowDown} onClick={() => go(1)} />
        </>
      ) : null}
      <IconButton label="Close" icon={X} onClick={onLeave} />
    </header>
  )
}

function All({ shown }: { readonly shown: readonly Thread[] }) {
  const { discussion, session } = useDiscussion()
  const unread = useStore(unreadOf(session).ids)
  if (shown.length === 0) return <p className="margin-none">No comments</p>
  return shown.map((thread) => (
    <article
      key={thread.id}
      className="talk-card talk-sheet-item"
      aria-label="Comment"
      data-thread={thread.id}
    >
      <ThreadView thread={thread} isOpen={false} isUnread={unread.has(thread.id)} />
      <button
        type="button"
        className="talk-sheet-open"
        aria-label="Open comment"
        onClick={() => discussion.open(thread.id)}
      />
    </article>
  ))
}
