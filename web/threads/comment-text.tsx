/** What somebody said: lines, addresses that can be followed, and mentions. All of it is text. */
import { Fragment, type ReactNode } from 'react'
import { useStore } from '../platform/store.ts'
import { useDiscussion } from './discussion-context.tsx'
import { isGuest } from './mentions.ts'

const parts =
  /(https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}])|((?<![\p{L}\p{N}_\\/])@[\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}]|`[^`\n]+`)/gu

interface CommentTextProps {
  readonly text: string
  /** Actor ids of whom it means; another @word is text. */
  readonly mentions: readonly string[]
}

export function CommentText({ text, mentions }: CommentTextProps) {
  const { threads } = useDiscussion()
  const people = useStore(threads.people)
  const called = new Map(
    mentions.map((id) => [people.get(id)?.handle.toLowerCase(), people.get(id)?.name]),
  )
  const shown: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(parts)) {
    const [whole, address] = match
    if (match.index > at) shown.push(text.slice(at, match.index))
    if (address !== undefined) {
      shown.push(
        <a href={address} target="_blank" rel="noopener noreferrer nofollow">
          {address}
        </a>,
      )
    } else if (whole.startsWith('`')) shown.push(<code>{whole.slice(1, -1)}</code>)
    else shown.push(mentionIn(whole, called))
    at = match.index + whole.length
  }
  shown.push(text.slice(at))
  return (
    <p className="comment-text" dir="auto">
      {shown.map((part, index) => (
        <Fragment key={index}>{part}</Fragment>
      ))}
    </p>
  )
}

/** A guest's handle tells nobody anything: the name stands for it. */
function mentionIn(
  whole: string,
  called: ReadonlyMap<string | undefined, string | undefined>,
): ReactNode {
  const handle = whole.slice(1).toLowerCase()
  if (!called.has(handle)) return whole
  const name = isGuest(handle) ? called.get(handle) : undefined
  return <span className="mentioned">{name === undefined ? whole : `@${name}`}</span>
}
