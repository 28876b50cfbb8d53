/** The threads beside their text, where there is a margin. */
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Thread } from '../api/threads.ts'
import { countedNoun } from '../platform/counted-noun.ts'
import { useSelected, useStore } from '../platform/store.ts'
import { Card } from './card.tsx'
import { useDiscussion } from './discussion-context.tsx'
import { openOnes, type Subject } from './discussion-state.ts'
import { FilterMenu, isOpenOnes } from './filter-menu.tsx'
import { draftId } from './highlights.ts'
import { type MarginLayout, topPrefix } from './margin-layout.ts'
import { NewCommentForm } from './new-comment-form.tsx'
import { useThreads } from './use-threads.ts'

/** A card that nobody has seen yet. */
const cardPx = 84

/** More orphaned ones than these are folded together. */
const orphansShown = 2

export function Cards({ layout }: { readonly layout: MarginLayout }) {
  const { discussion } = useDiscussion()
  const shown = useThreads(layout)
  const subject = useStore(discussion.subject)
  const order = useStore(layout.order)
  const near = useStore(layout.near)
  const active = useStore(discussion.active)
  const filter = useStore(discussion.filter)
  const isAsked = useStore(discussion.isSheetOpen)
  const isEmpty = shown.length === 0 && subject === undefined
  const isThere = !isEmpty || !isOpenOnes(filter) || isAsked
  useRoom(isThere)
  useEffect(() => {
    const stop = discussion.active.subscribe(() => layout.glide())
    return stop
  }, [discussion, layout])
  const { standing, placed, orphans } = useMemo(() => {
    const inText = new Set(order)
    return {
      standing: inText,
      placed: shown.filter(({ id }) => inText.has(id)),
      orphans: shown.filter(({ orphaned }) => orphaned),
    }
  }, [order, shown])
  useEffect(() => {
    layout.show(
      placed.map(({ id }) => id),
      cardPx,
    )
  }, [layout, placed])
  if (!isThere) return null
  return (
    <aside className="margin" aria-label="Comments">
      <div className="margin-head">
        <FilterMenu count={shown.length} />
        {isEmpty || !isOpenOnes(filter) ? <Leave /> : null}
      </div>
      <div className="margin-cards" ref={layout.column}>
        <Orphans orphans={orphans} layout={layout} />
        {placed
          .filter(({ id }) => near.has(id) || id === active)
          .map((thread) => (
            <Card key={thread.id} thread={thread} layout={layout} />
          ))}
        {subject === undefined ? null : (
          <NewCard subject={subject} layout={layout} isPlaced={standing.has(draftId)} />
        )}
        {isEmpty ? <p className="margin-none">No comments</p> : null}
      </div>
    </aside>
  )
}

/** The text makes room for the margin while there is something in it. */
function useRoom(isThere: boolean): void {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-threads', isThere)
    return () => document.documentElement.removeAttribute('data-threads')
  }, [isThere])
}

function Leave() {
  const { discussion, threads } = useDiscussion()
  const leave = () => {
    discussion.filter.set(openOnes)
    threads.showResolved(false)
    discussion.close()
  }
  return (
    <button
      type="button"
      className="button button-icon"
      aria-label="Back to open comments"
      title="Back to open comments"
      onClick={leave}
    >
      <X aria-hidden />
    </button>
  )
}

interface OrphansProps {
  readonly orphans: readonly Thread[]
  readonly layout: MarginLayout
}

function Orphans({ orphans, layout }: OrphansProps) {
  const { discussion } = useDiscussion()
  const [areShown, setShown] = useState(false)
  const isOneOpen = useSelected(discussion.active, (id) => orphans.some((one) => one.id === id))
  const fold = useRef<HTMLDivElement>(null)
  const isFolded = orphans.length > orphansShown
  useEffect(() => {
    if (!isFolded) return undefined
    layout.put(`${topPrefix}fold`, fold.current)
    return () => layout.put(`${topPrefix}fold`, null)
  }, [layout, isFolded])
  const cards = orphans.map((thread) => (
    <Card key={thread.id} thread={thread} layout={layout} place={`${topPrefix}${thread.id}`} />
  ))
  if (!isFolded) return cards
  return (
    <>
      <div className="orphans-fold" ref={fold}>
        <button
          type="button"
          className="button"
          aria-expanded={areShown || isOneOpen}
          onClick={() => setShown(!areShown)}
        >
          {countedNoun(orphans.length, 'comment')} on deleted text
        </button>
      </div>
      {areShown || isOneOpen ? cards : null}
    </>
  )
}

interface NewCardProps {
  readonly subject: Subject
  readonly layout: MarginLayout
  readonly isPlaced: boolean
}

function NewCard({ subject, layout, isPlaced }: NewCardProps) {
  const { discussion } = useDiscussion()
  const isOpen = useSelected(discussion.active, (active) => active === draftId)
  const card = useRef<HTMLElement>(null)
  const place = isPlaced ? draftId : `${topPrefix}${draftId}`
  useEffect(() => {
    layout.put(place, card.current)
    return () => layout.put(place, null)
  }, [layout, place])
  return (
    <section
      ref={card}
      className="talk-card card-new"
      aria-label="New comment"
      data-open={isOpen || undefined}
      onFocus={() => discussion.open(draftId)}
    >
      <NewCommentForm subject={subject} />
    </section>
  )
}
