/** The bar to go through suggestions: which one it is, the next, and all or all of one author. */
import { ChevronDown, ChevronLeft, ChevronRight, X } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import type { Decision } from '../api/threads.ts'
import { authorship } from '../authors/authorship.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { IconButton } from '../platform/icon-button.tsx'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace, leavesWriter } from '../platform/writers-place.ts'
import type { ReviewProps } from './review.ts'
import type { PendingSuggestion } from './suggestion-marks.ts'
import { useWaiting } from './use-threads.ts'

export function ReviewBar(props: ReviewProps) {
  const { session, suggestions, review } = props
  const waiting = useWaiting(session)
  const pointed = useStore(suggestions.pointed)
  const left = useStore(review.deciding)
  useStore(suggestions.shown)
  const spots = review.spots()
  const at = spots.findIndex(({ name }) => name === pointed)
  const count = Math.max(spots.length, waiting.length)
  return (
    <div ref={passFocusToText} className="review-bar float" role="toolbar" aria-label="Suggestions">
      <IconButton label="Previous suggestion" icon={ChevronLeft} onClick={() => review.go(-1)} />
      <span role="status">{left > 0 ? `${left} remaining…` : countSaid(at, count)}</span>
      <IconButton label="Next suggestion" icon={ChevronRight} onClick={() => review.go(1)} />
      {review.mayDecide && waiting.length > 0 ? (
        <>
          <All {...props} decision="accept" waiting={waiting} count={count} />
          <All {...props} decision="reject" waiting={waiting} count={count} />
        </>
      ) : null}
      <IconButton
        label="Close"
        icon={X}
        onClick={() => {
          review.isOpen.set(false)
          review.isClosed.set(true)
          suggestions.pointed.set(undefined)
        }}
      />
    </div>
  )
}

function countSaid(at: number, count: number): ReactNode {
  if (count === 0) return 'No suggestions left'
  if (at >= 0) return `${at + 1} of ${count}`
  return (
    <>
      {count}
      <span className="review-word"> {count === 1 ? 'suggestion' : 'suggestions'}</span>
    </>
  )
}

interface AllProps extends ReviewProps {
  readonly decision: Decision
  readonly waiting: readonly PendingSuggestion[]
  /** With those that are drafts of one's own. */
  readonly count: number
}

function All({ session, review, decision, waiting, count }: AllProps) {
  const { book } = authorship(session)
  useStore(book.changes)
  const isBusy = useStore(review.deciding) > 0
  const authors = [...new Set(waiting.map(({ by }) => by))]
  const label = decision === 'accept' ? 'Accept all' : 'Reject all'
  if (authors.length === 1) {
    return (
      <button
        type="button"
        className="button button-line"
        disabled={isBusy}
        onMouseDown={keepWritersPlace}
        onClick={() => void review.decideAll(decision)}
      >
        {label}
      </button>
    )
  }
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="button button-line"
        disabled={isBusy}
        onMouseDown={keepWritersPlace}
      >
        {label}
        <ChevronDown aria-hidden />
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          className="menu float"
          side="top"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={leavesWriter}
        >
          {authors.map((by) => {
            const own = waiting.filter((one) => one.by === by)
            return (
              <DropdownMenu.Item
                key={by}
                className="menu-item"
                onSelect={() => void review.decide(own, decision)}
              >
                From {book.author(by).name} ({own.length})
              </DropdownMenu.Item>
            )
          })}
          <DropdownMenu.Item className="menu-item" onSelect={() => void review.decideAll(decision)}>
            From everyone ({count})
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}
