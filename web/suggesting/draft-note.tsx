/** What of one's own suggestions needs a word: what was refused, and what has lost its place. */
import { Copy, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { copyText } from '../platform/clipboard.ts'
import { passFocusToText } from '../platform/focus-guard.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import type { Piece } from './changes.ts'
import type { ReviewProps } from './review.ts'

export function DraftNote({ suggestions }: ReviewProps) {
  const { drafting } = suggestions
  const lost = useStore(drafting.lost)
  const { failures, waits } = useStore(drafting.standing)
  if (lost.length === 0 && failures.size === 0 && waits === undefined) return null
  return (
    <section ref={passFocusToText} className="draft-note float" aria-label="Unsent suggestions">
      {waits === undefined ? null : (
        <p className="draft-note-line" role="status">
          <span>Not sent yet. {waits}</span>
        </p>
      )}
      {failures.size === 0 ? null : (
        <Line
          words={`${counted(failures.size)} could not be sent.`}
          text={[...failures.values()].map(({ newString }) => newString).join('\n\n')}
        >
          <button type="button" className="button" onClick={() => void drafting.sending.retry()}>
            <RotateCcw aria-hidden />
            Retry
          </button>
        </Line>
      )}
      {lost.length === 0 ? null : (
        <Line
          words={`${counted(lost.length)} ${lost.length === 1 ? 'was' : 'were'} decided, or lost ${lost.length === 1 ? 'its' : 'their'} place. Your text is kept here.`}
          text={lost.map(wordsOf).join('\n\n')}
        >
          <button
            type="button"
            className="button button-icon"
            aria-label="Dismiss"
            onClick={() => drafting.dismissLost()}
          >
            <X aria-hidden />
          </button>
        </Line>
      )}
    </section>
  )
}

const counted = (count: number): string => (count === 1 ? 'A suggestion' : `${count} suggestions`)

const wordsOf = ({ slice: { content } }: Piece): string =>
  content.textBetween(0, content.size, '\n')

interface LineProps {
  readonly words: string
  readonly text: string
  readonly children: ReactNode
}

function Line({ words, text, children }: LineProps) {
  const copy = async () => {
    await copyText(text)
    notify('Copied.')
  }
  return (
    <p className="draft-note-line" role="status">
      <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>
      <button type="button" className="button" onClick={() => void copy()}>
        <Copy aria-hidden />
        Copy
      </button>
      {children}
    </p>
  )
}
