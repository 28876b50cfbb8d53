/**
 * A planned edit, applied and compared before anything of it is stored: what was planned, or
 * nothing at all, since the caller then gives up the document in memory.
 */
import { Refusal } from '../../../schema/errors.ts'
import type { ActorId } from '../../../schema/ids.ts'
import { diffTexts } from '../../text/text-diff.ts'
import type { Plan } from '../edits/plan/plan.ts'
import type { DocumentState, StateChange } from '../state/document-state.ts'
import type { AuthorRun } from '../views/document-view.ts'
import { giveBack } from './giving-back.ts'

interface Applying {
  readonly actor: ActorId
  /** Whose the text is, where it is that of an earlier revision. */
  readonly back?: readonly AuthorRun[] | undefined
  readonly onFailed: (error: unknown) => void
}

/** What each write changed. When it fails, `onFailed` is told: the state can not be relied on. */
export function applyPlan(
  state: DocumentState,
  { operations, text }: Plan,
  { actor, back, onFailed }: Applying,
): readonly StateChange[] {
  if (operations.length === 0) return []
  try {
    const [before, written] = [state.text, state.nextOf(actor)]
    const changes = [state.applyOperations(operations, actor)]
    if (back !== undefined) {
      const { text: after, mirror } = state
      const credits = giveBack({ before, after, authorship: back, mirror, written })
      changes.push(state.credit(credits))
    }
    if (diffTexts(text, state.text) !== undefined) {
      throw new Refusal('EDIT_VERIFICATION_FAILED', { reason: 'applied_otherwise' })
    }
    return changes.filter((change) => change !== undefined)
  } catch (error) {
    onFailed(error)
    throw error
  }
}
