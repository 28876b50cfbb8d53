/** What becomes of comments whose words would go: shown for each, and it can be told otherwise. */
import { shortened } from '../../schema/shortened.ts'
import type { AffectedThread, CommentOutcome } from '../api/history.ts'
import { type Option, OptionMenu } from '../platform/option-menu.tsx'

type Action = CommentOutcome['action']

export type Decisions = ReadonlyMap<string, Action>

/** What keeps most, as long as nobody decides otherwise. */
const actionOf = ({ id, resolved, candidate_blocks: [near] }: AffectedThread, made: Decisions) =>
  made.get(id) ?? (resolved || near === undefined ? 'keep' : 'remap')

export const outcomesOf = (
  affected: readonly AffectedThread[],
  made: Decisions,
): readonly CommentOutcome[] =>
  affected.map((thread) => {
    const { id, candidate_blocks: blocks } = thread
    const action = actionOf(thread, made)
    const [near] = blocks
    return { id, action, ...(action === 'remap' && near && { new_block_idx: near.idx }) }
  })

export interface AffectedCommentsProps {
  readonly affected: readonly AffectedThread[]
  readonly decisions: Decisions
  readonly onDecide: (decisions: Decisions) => void
}

export const AffectedComments = ({ affected, decisions, onDecide }: AffectedCommentsProps) => (
  <ul className="affected" aria-label="Comments">
    {affected.map((thread) => (
      <Affected
        key={thread.id}
        thread={thread}
        action={actionOf(thread, decisions)}
        onChoose={(action) => onDecide(new Map(decisions).set(thread.id, action))}
      />
    ))}
  </ul>
)

interface AffectedProps {
  readonly thread: AffectedThread
  readonly action: Action
  readonly onChoose: (action: Action) => void
}

function Affected({ thread, action, onChoose }: AffectedProps) {
  const { text, quote } = thread
  const options = optionsFor(thread)
  return (
    <li>
      <p className="affected-said">
        <q>{inShort(quote, 120)}</q>
        {text === '' ? null : <strong>{inShort(text, 160)}</strong>}
        <span>{options.find(({ value }) => value === action)?.more}</span>
      </p>
      <OptionMenu
        label={`Action for “${inShort(text || quote, 60)}”`}
        value={action}
        options={options}
        onChoose={onChoose}
      />
    </li>
  )
}

function optionsFor({ resolved, candidate_blocks: [near] }: AffectedThread): Option<Action>[] {
  const keep: Option<Action> = resolved
    ? { value: 'keep', label: 'Keep resolved', more: 'Keeps the comment and its quoted text' }
    : {
        value: 'keep',
        label: 'Keep without a position',
        more: 'Keeps the comment and its quoted text',
      }
  return [
    ...(near === undefined
      ? []
      : [{ value: 'remap', label: 'Move', more: `To “${inShort(near.quote, 60)}”` } as const]),
    keep,
    { value: 'remove', label: 'Delete', more: 'Deletes the comment and all its replies' },
  ]
}

function inShort(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${shortened(line, max - 1)}…` : line
}
