/** What a comment proposes, and the decision. */
import { type Comment, type Decision, decide, type Suggestion } from '../api/threads.ts'
import { rememberAct } from '../live/last-act.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { useDiscussion } from './discussion-context.tsx'
import { SuggestedWords } from './suggested-words.tsx'

const stateWords: Readonly<Record<Suggestion['status'], string>> = {
  pending: '',
  stale: 'The text has changed since. This suggestion cannot be accepted.',
  accepted: 'Accepted',
  rejected: 'Rejected',
}

interface SuggestionViewProps {
  readonly thread: string
  readonly comment: Comment
  readonly suggestion: Suggestion
}

export function SuggestionView({ thread, comment, suggestion }: SuggestionViewProps) {
  const { act, session, standing } = useDiscussion()
  const { old_string: before, new_string: after, status } = suggestion
  const isOpen = status === 'pending' || status === 'stale'
  const choose = (as: Decision) =>
    void act([thread], async () => {
      const { revision } = await decide(session.slug, comment.id, as)
      if (as === 'accept') rememberAct(session, [revision])
    })
  return (
    <div className="suggested" data-status={status}>
      <p className="suggested-words" dir="auto">
        <SuggestedWords old={before} now={after} />
      </p>
      {stateWords[status] === '' ? null : <p className="suggested-state">{stateWords[status]}</p>}
      {isOpen && standing.mayReject ? (
        <div className="suggested-foot">
          <DecisionButtons
            mayAccept={status !== 'stale' && standing.mayAccept && !standing.isOffline}
            mayReject={!standing.isOffline}
            onDecide={choose}
          />
        </div>
      ) : null}
    </div>
  )
}
