/** What somebody said: lines, addresses that can be followed, and mentions. All of it is text. */
import { Fragment, type ReactNode } from 'react'
import { useStore } from '../platform/store.ts'
import { useTalk } from './talk.tsx'

const parts =
  /(https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}])|((?<![\p{L}\p{N}_\\/])@[\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}]|`[^`\n]+`)/gu

interface CommentTextProps {
  readonly text: string
  /** Actor ids of whom it means; another @word is text. */
  readonly mentions: readonly string[]
}

export function CommentText({ text, mentions }: CommentTextProps) {
  const { threads } = useTalk()
  const people = useStore(threads.people)
  const handles = new Set(mentions.map((id) => people.get(id)?.handle.toLowerCase()))
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
    else if (!handles.has(whole.slice(1).toLowerCase())) shown.push(whole)
    else shown.push(<span className="mentioned">{whole}</span>)
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
