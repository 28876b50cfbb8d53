/** One comment: who, when, what, what it proposes and asks, how it is felt about. */
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { type Comment, changeComment, deleteComment, say, type Thread } from '../api/threads.ts'
import { Picture } from '../authors/picture.tsx'
import { Age } from '../platform/age.tsx'
import { answeredThread } from '../platform/answered.ts'
import { MenuPortal } from '../platform/menu-portal.tsx'
import { leavesWriter } from '../platform/writers-place.ts'
import { CommentText } from './comment-text.tsx'
import { Composer } from './composer.tsx'
import { useDiscussion, useSpeaker } from './discussion-context.tsx'
import { newKey } from './drafts.ts'
import { AddReaction, Reactions } from './reactions.tsx'
import { SuggestionView } from './suggestion-view.tsx'
import { notifyWords } from './words.ts'

export interface CommentViewProps {
  readonly thread: Thread
  readonly comment: Comment
  /** All of it can be used, not only read. */
  readonly isOpen: boolean
  readonly isUnread?: boolean
  /** Beside the menu. */
  readonly actions?: ReactNode
  /** In the menu. */
  readonly entries?: ReactNode
}

export function CommentView(props: CommentViewProps) {
  const { thread, comment } = props
  const { session, threads } = useDiscussion()
  const [state, setState] = useState<'shown' | 'changing' | 'deleting'>('shown')
  const back = () => setState('shown')
  if (comment.deleted === true) {
    return (
      <div className="comment-gone">
        This comment was deleted.
        <span className="comment-tools">{props.actions}</span>
      </div>
    )
  }
  const change = async (text: string) => {
    await changeComment(session.slug, comment.id, text)
    await threads.refresh([thread.id])
  }
  return (
    <article className="comment" aria-label="Comment">
      <Head
        {...props}
        onChange={() => setState('changing')}
        onDelete={() => setState('deleting')}
      />
      {state === 'changing' ? (
        <Composer
          of={comment.id}
          label="Edit comment"
          sends="Save"
          initial={comment.text}
          isFocused
          send={change}
          onSent={back}
          onLeave={back}
        />
      ) : (
        <CommentText text={comment.text} mentions={comment.mentions ?? []} />
      )}
      {state === 'deleting' ? <Deleting thread={thread} comment={comment} onLeave={back} /> : null}
      {comment.suggestion === undefined ? null : (
        <SuggestionView thread={thread.id} comment={comment} suggestion={comment.suggestion} />
      )}
      {comment.notify === undefined ? null : <Asked thread={thread} comment={comment} />}
      <Reactions thread={thread.id} comment={comment} />
    </article>
  )
}

interface HeadProps extends CommentViewProps {
  readonly onChange: () => void
  readonly onDelete: () => void
}

function Head({ thread, comment, isOpen, isUnread, actions, entries, ...on }: HeadProps) {
  const { standing, me, session } = useDiscussion()
  const speaker = useSpeaker(comment.by)
  const isOwn = comment.by === me
  const mayChange = isOwn && standing.mayComment
  const mayDelete = isOwn && session.role.get() !== 'viewer'
  const hasMenu = isOpen && (entries !== undefined || mayChange || mayDelete)
  return (
    <header className="comment-head">
      <Picture peer={{ actor: comment.by, name: speaker.name }} hue={speaker.hue} />
      <span className="comment-who">
        <span className="comment-name">{speaker.called}</span>
        {speaker.isHuman ? null : <span className="comment-agent">Agent</span>}
        <Age
          className="comment-when"
          at={Date.parse(comment.at)}
          more={comment.edited_at === undefined ? '' : ' · edited'}
        />
        {isUnread === true ? (
          <span className="comment-unread">
            <span className="visually-hidden">Unread</span>
          </span>
        ) : null}
      </span>
      <span className="comment-tools">
        {isOpen && standing.mayComment ? (
          <AddReaction thread={thread.id} comment={comment} />
        ) : null}
        {actions}
        {hasMenu ? (
          <CommentMenu entries={entries} mayChange={mayChange} mayDelete={mayDelete} {...on} />
        ) : null}
      </span>
    </header>
  )
}

interface CommentMenuProps {
  readonly entries: ReactNode
  readonly mayChange: boolean
  readonly mayDelete: boolean
  readonly onChange: () => void
  readonly onDelete: () => void
}

function CommentMenu({ entries, mayChange, mayDelete, onChange, onDelete }: CommentMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="button button-icon"
        aria-label="Comment options"
        title="More"
      >
        <Ellipsis aria-hidden />
      </DropdownMenu.Trigger>
      <MenuPortal>
        <DropdownMenu.Content
          className="menu float"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={leavesWriter}
        >
          {entries}
          {mayChange ? (
            <DropdownMenu.Item className="menu-item" onSelect={onChange}>
              <Pencil aria-hidden />
              Edit
            </DropdownMenu.Item>
          ) : null}
          {mayDelete ? (
            <DropdownMenu.Item className="menu-item menu-item-danger" onSelect={onDelete}>
              <Trash2 aria-hidden />
              Delete…
            </DropdownMenu.Item>
          ) : null}
        </DropdownMenu.Content>
      </MenuPortal>
    </DropdownMenu.Root>
  )
}

interface OfComment {
  readonly thread: Thread
  readonly comment: Comment
}

function Deleting({ thread, comment, onLeave }: OfComment & { readonly onLeave: () => void }) {
  const { act, session } = useDiscussion()
  const isLast = thread.comments_info.total === 1
  const what = isLast ? 'This also deletes the thread.' : 'Replies are kept.'
  const remove = async () => {
    await act([thread.id], () => deleteComment(session.slug, comment.id))
    onLeave()
  }
  return (
    <div className="comment-ask" role="alertdialog" aria-label="Delete comment">
      <p>Delete this comment for everyone? {what}</p>
      <button type="button" className="button button-danger" onClick={() => void remove()}>
        Delete
      </button>
      <button type="button" className="button" onClick={onLeave}>
        Keep
      </button>
    </div>
  )
}

/** What an agent asks, with its answers ready to be given. */
function Asked({ thread, comment }: OfComment) {
  const { act, session, standing } = useDiscussion()
  const { notify: asked } = comment
  if (asked === undefined) return null
  const answer = (text: string) =>
    void act([thread.id], async () => {
      await say(session.slug, { text, thread_id: thread.id }, newKey())
      answeredThread.set(thread.id)
    })
  const asking = thread.comments.findIndex(({ id }) => id === comment.id)
  const isAnswered = thread.comments
    .slice(asking + 1)
    .some(({ text }) => asked.options?.some(({ answer }) => answer === text))
  const mayAnswer = standing.mayComment && !standing.isOffline && !thread.resolved && !isAnswered
  return (
    <div className="asked" data-kind={asked.kind}>
      <p className="asked-kind">{notifyWords[asked.kind]}</p>
      <p className="asked-line">{asked.line}</p>
      {mayAnswer && asked.options !== undefined ? (
        <div className="asked-options">
          {asked.options.map(({ label, answer: text }) => (
            <button
              key={label}
              type="button"
              className="button button-line"
              title={text}
              onClick={() => answer(text)}
            >
              {label}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
