/**
 * A thread as it is read and answered, in the margin and in the sheet: closed it says what it is
 * about in short, open it has all of it and a field to answer in.
 */
import { BellOff, BellRing, Check, Link, RotateCcw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { absolute } from '../api/base.ts'
import {
  type Comment,
  mute,
  resolveThread,
  say,
  type Thread,
  unresolveThread,
} from '../api/threads.ts'
import { answeredThread } from '../platform/answered.ts'
import { copyText } from '../platform/clipboard.ts'
import { countedNoun } from '../platform/counted-noun.ts'
import { IconButton } from '../platform/icon-button.tsx'
import { notify, notifyWhile } from '../platform/notices.ts'
import { CommentView } from './comment-view.tsx'
import { Composer } from './composer.tsx'
import { useDiscussion, useSpeaker } from './discussion-context.tsx'

interface ThreadViewProps {
  readonly thread: Thread
  readonly isOpen: boolean
  readonly isUnread: boolean
}

export function ThreadView({ thread, isOpen, isUnread }: ThreadViewProps) {
  const { comments, orphaned, resolution } = thread
  const [root, ...replies] = comments
  if (root === undefined) return null
  return (
    <>
      {orphaned ? <Orphaned thread={thread} /> : null}
      <CommentView
        thread={thread}
        comment={root}
        isOpen={isOpen}
        isUnread={isUnread}
        actions={<Resolving thread={thread} />}
        entries={isOpen ? <ThreadEntries thread={thread} root={root} /> : undefined}
      />
      {isOpen ? <Replies thread={thread} replies={replies} /> : <Folded thread={thread} />}
      {resolution === undefined ? null : <Resolution thread={thread} />}
      {isOpen ? <Answer thread={thread} /> : null}
    </>
  )
}

function Orphaned({ thread: { words = '' } }: { readonly thread: Thread }) {
  return (
    <div className="orphaned">
      <p className="orphaned-said">
        The commented text was deleted. Undo the deletion to restore the comment’s place.
      </p>
      {words === '' ? null : <blockquote dir="auto">{words}</blockquote>}
    </div>
  )
}

function Folded({ thread: { comments, comments_info: info } }: { readonly thread: Thread }) {
  const last = comments.at(-1)
  if (info.total < 2 || last === undefined) return null
  return (
    <p className="folded">
      {countedNoun(info.total - 1, 'reply')} · <LastName id={last.by} />
    </p>
  )
}

const LastName = ({ id }: { readonly id: string }) => useSpeaker(id).called

function Replies(props: { readonly thread: Thread; readonly replies: readonly Comment[] }) {
  const { thread, replies } = props
  const { threads } = useDiscussion()
  const [omitted, setOmitted] = useState<readonly Comment[]>([])
  const known = new Set(replies.map(({ id }) => id))
  const before = omitted.filter(({ id }) => !known.has(id))
  const left = thread.comments_info.omitted - before.length
  const more = async () => setOmitted(await threads.readOmitted(thread).catch(() => []))
  return (
    <>
      {left > 0 ? (
        <button type="button" className="button more-replies" onClick={() => void more()}>
          Show {countedNoun(left, 'reply')} before
        </button>
      ) : null}
      {[...before, ...replies].map((comment) => (
        <CommentView key={comment.id} thread={thread} comment={comment} isOpen />
      ))}
    </>
  )
}

function Resolution({ thread }: { readonly thread: Thread }) {
  const { resolution } = thread
  const { called: name } = useSpeaker(resolution?.by ?? '')
  if (resolution === undefined) return null
  return (
    <p className="resolution">
      <Check aria-hidden />
      <span>
        Resolved by {name}
        {resolution.text === plainNote ? '' : `: ${resolution.text}`}
      </span>
    </p>
  )
}

/** What a resolution says of who says nothing. */
const plainNote = 'Resolved.'

function useResolve(thread: Thread) {
  const { act, session, threads } = useDiscussion()
  const reopen = () => act([thread.id], () => unresolveThread(session.slug, thread.id))
  const resolve = async (note: string) => {
    const text = note === '' ? plainNote : note
    const isDone = await act([thread.id], () => resolveThread(session.slug, thread.id, text))
    if (!isDone) return false
    await threads.refresh([thread.id])
    const isTrue = () => threads.thread(thread.id)?.resolved !== false
    const undo = { label: 'Undo', run: () => void reopen() }
    notifyWhile({ isTrue, changes: threads.all }, 'Resolved.', 'plain', undo)
    return true
  }
  return { resolve, reopen }
}

function Resolving({ thread }: { readonly thread: Thread }) {
  const { standing } = useDiscussion()
  const { resolve, reopen } = useResolve(thread)
  if (!standing.mayComment) return null
  const [label, icon, run] = thread.resolved
    ? (['Reopen', RotateCcw, reopen] as const)
    : (['Resolve', Check, () => resolve('')] as const)
  return (
    <IconButton
      label={label}
      icon={icon}
      disabled={standing.isOffline}
      onClick={() => void run()}
    />
  )
}

function ThreadEntries({ thread, root }: { readonly thread: Thread; readonly root: Comment }) {
  const { act, session } = useDiscussion()
  const isMuted = thread.muted === true
  const copy = async () => {
    await copyText(absolute(`/d/${session.slug}?focus=comment-${root.id}`))
    notify('Link copied.')
  }
  const setMuted = () =>
    act([thread.id], () => mute(session.slug, { thread: thread.id, muted: !isMuted }))
  return (
    <>
      <DropdownMenu.Item className="menu-item" onSelect={() => void copy()}>
        <Link aria-hidden />
        Copy link
      </DropdownMenu.Item>
      <DropdownMenu.Item className="menu-item" onSelect={() => void setMuted()}>
        {isMuted ? <BellRing aria-hidden /> : <BellOff aria-hidden />}
        {isMuted ? 'Unmute this thread' : 'Mute this thread'}
      </DropdownMenu.Item>
    </>
  )
}

/** `answer` is what the keyboard brings the focus to. */
function Answer({ thread }: { readonly thread: Thread }) {
  const { session, threads, standing, discussion } = useDiscussion()
  const { resolve } = useResolve(thread)
  const [isUsed, setUsed] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  /** Unless somebody has gone on elsewhere meanwhile. */
  const focus = () => {
    const { current } = place
    const isHere = current?.contains(document.activeElement) === true
    if (isHere) current.querySelector('textarea')?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (discussion.answers.get() !== thread.id) return
    discussion.answers.set(undefined)
    place.current?.querySelector('textarea')?.focus({ preventScroll: true })
  }, [discussion, thread.id])
  if (thread.resolved || !standing.mayComment) return null
  const send = async (text: string, key: string) => {
    const said = await say(session.slug, { text, thread_id: thread.id }, key)
    answeredThread.set(thread.id)
    if (said.warning !== undefined) notify(said.warning)
    await threads.refresh([thread.id])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that its field is used
    <div
      ref={place}
      className="answer"
      data-used={isUsed || undefined}
      onFocus={() => setUsed(true)}
    >
      <Composer
        of={thread.id}
        label="Reply"
        placeholder="Reply or mention with @"
        sends="Reply"
        send={send}
        onSent={focus}
        onLeave={() => {
          setUsed(false)
          place.current?.closest<HTMLElement>('.talk-card')?.focus()
        }}
        more={(text, sent) => (
          <button
            type="button"
            className="button"
            title={text === '' ? 'Resolve' : 'Resolve with this note'}
            disabled={standing.isOffline}
            onClick={async () => {
              if (await resolve(text)) sent()
            }}
          >
            <Check aria-hidden />
            Resolve
          </button>
        )}
      />
    </div>
  )
}
