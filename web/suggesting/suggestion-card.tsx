/**
 * The suggestion that one points at, in place: whose it is, what it would do, and what may be done
 * with it. It takes no focus, so that the caret stays; keys decide it all the same.
 */
import { ChevronLeft, ChevronRight, Copy, RotateCcw, Undo2 } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { authorship } from '../authors/authorship.ts'
import { Picture } from '../authors/picture.tsx'
import { copyText } from '../platform/clipboard.ts'
import { IconButton } from '../platform/icon-button.tsx'
import { keyName } from '../platform/key-names.ts'
import { hasMargin } from '../platform/media.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { DecisionButtons } from '../threads/decision-buttons.tsx'
import { SuggestedWords } from '../threads/suggested-words.tsx'
import { Float } from '../tools/float.tsx'
import { draftPrefix, ownName } from './own-marks.ts'
import type { ReviewProps } from './review.ts'
import type { Failure } from './sending.ts'
import { useWaiting } from './use-threads.ts'

interface CardProps extends ReviewProps {
  /** As `data-suggestion` has it. */
  readonly name: string
}

export function SuggestionCard(props: CardProps) {
  const { suggestions, name, editor } = props
  const { view } = editor
  const anchor = useMemo(
    () => ({ context: view.dom, rect: () => boxOf(view.dom, name) }),
    [view, name],
  )
  useEffect(() => {
    const close = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' || key.length === 1) suggestions.pointed.set(undefined)
    }
    view.dom.addEventListener('keydown', close)
    return () => view.dom.removeEventListener('keydown', close)
  }, [view, suggestions])
  const isOwn = name.startsWith(draftPrefix)
  return (
    <Float
      anchor={anchor}
      className="suggestion-card"
      role="group"
      aria-label="Suggestion"
      onMouseDown={(event) => event.preventDefault()}
    >
      {isOwn ? <OwnDraft {...props} /> : <Theirs {...props} />}
    </Float>
  )
}

/** Around all that is drawn of it. */
function boxOf(text: Element, name: string): DOMRect {
  const boxes = [...text.querySelectorAll(`[data-suggestion="${CSS.escape(name)}"]`)]
    .flatMap((element) => [...element.getClientRects()])
    .filter(({ height }) => height > 0)
  const [first] = boxes
  if (first === undefined) return new DOMRect(-1_000, -1_000, 0, 0)
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const right = Math.max(...boxes.map((box) => box.right))
  const bottom = Math.max(...boxes.map((box) => box.bottom))
  return new DOMRect(left, top, right - left, bottom - top)
}

function Theirs({ session, suggestions, review, name }: CardProps) {
  const one = useWaiting(session).find(({ id }) => id === name)
  const isBusy = useStore(review.deciding) > 0
  // The margin's card says the rest.
  const isBeside = useStore(hasMargin)
  if (one === undefined)
    return <p className="suggestion-words">This suggestion was already accepted or rejected.</p>
  const isOwn = session.account.get()?.actor_id === one.by
  return (
    <>
      <Author session={session} by={one.by} review={review} />
      {isBeside ? null : (
        <p className="suggestion-words">
          <SuggestedWords old={one.oldString} now={one.newString} />
        </p>
      )}
      {review.mayDecide ? (
        <div className="suggestion-acts">
          <DecisionButtons
            isPrimary
            mayAccept={!isBusy}
            mayReject={!isBusy}
            titles={{
              accept: `Accept (${keyName('Mod-Alt-Enter')})`,
              reject: `Reject (${keyName('Mod-Alt-Shift-Enter')})`,
            }}
            onDecide={(as) => void review.decidePointed(as)}
          />
        </div>
      ) : (
        <p className="suggestion-state">Waiting for review.</p>
      )}
      {isOwn && !isBeside ? (
        <button
          type="button"
          className="button suggestion-withdraw"
          onClick={() => {
            suggestions.pointed.set(undefined)
            void review.withdraw(one)
          }}
        >
          <Undo2 aria-hidden />
          Withdraw
        </button>
      ) : null}
    </>
  )
}

function OwnDraft({ session, suggestions, review, name }: CardProps) {
  const { sending } = suggestions.drafting
  const { failures, isSending, waits } = useStore(suggestions.drafting.standing)
  const change = suggestions.draft?.changes.find(({ id }) => ownName(id) === name)
  if (change === undefined) return null
  const actor = session.account.get()?.actor_id
  const failure = failures.get(change.id)
  const isSent = sending.sent.has(change.id)
  return (
    <>
      {actor === undefined ? null : <Author session={session} by={actor} review={review} />}
      {failure === undefined ? (
        <p className="suggestion-state">
          {isSent ? 'Sent. Waiting for review.' : null}
          {isSent
            ? null
            : (waits ?? (isSending ? 'Sending…' : 'Draft. Sent when you pause typing.'))}
        </p>
      ) : (
        <Refused failure={failure} onRetry={() => void sending.retry()} />
      )}
      <div className="suggestion-acts">
        <button
          type="button"
          className="button button-line"
          onClick={() => {
            suggestions.pointed.set(undefined)
            suggestions.take(change.id)
          }}
        >
          <Undo2 aria-hidden />
          {isSent ? 'Withdraw' : 'Discard'}
        </button>
      </div>
    </>
  )
}

export function Refused({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const copy = async () => {
    await copyText(failure.newString)
    notify('Copied.')
  }
  return (
    <div className="suggestion-refused">
      <p>{reasonOf(failure)}</p>
      <div className="suggestion-acts">
        <button type="button" className="button button-line" onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </button>
        <button type="button" className="button button-line" onClick={onRetry}>
          <RotateCcw aria-hidden />
          Retry
        </button>
      </div>
    </div>
  )
}

/** Why it was not taken, as far as that helps. */
function reasonOf({ code, message }: Failure): string {
  switch (code) {
    case 'AMBIGUOUS':
    case 'NOT_FOUND':
      return 'Not sent: this text is missing or occurs several times in the document. Edit the suggestion and retry.'
    case 'LIMIT_REACHED':
      return 'Not sent: this document has reached its limit of comments.'
    case 'COMMENTS_DISABLED':
      return 'Not sent: the owner has turned comments off.'
    case 'PAYLOAD_TOO_LARGE':
      return 'Not sent: this suggestion is too long. Split it into smaller ones.'
    default:
      return `Not sent: ${message}`
  }
}

function Author({
  session,
  by,
  review,
}: Pick<ReviewProps, 'session' | 'review'> & { readonly by: string }) {
  const { book } = authorship(session)
  useStore(book.changes)
  const { name, hue, isHuman } = book.author(by)
  return (
    <div className="suggestion-by">
      <Picture peer={{ actor: by, name }} hue={hue} />
      <strong>{name}</strong>
      {isHuman ? null : <span className="suggestion-kind">Agent</span>}
      <span className="bar-space" />
      <IconButton label="Previous suggestion" icon={ChevronLeft} onClick={() => review.go(-1)} />
      <IconButton label="Next suggestion" icon={ChevronRight} onClick={() => review.go(1)} />
    </div>
  )
}
