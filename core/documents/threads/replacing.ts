/** What a suggestion does to the text, as an edit: the same when made and when accepted. */
import type { Edit } from '../edits/request/edit.ts'
import type { Anchor } from './anchor.ts'
import type { Range } from './placed.ts'

/** A whole block that gives way to nothing is deleted. */
export function replacing(
  anchor: Anchor,
  { oldString, newString }: { readonly oldString: string; readonly newString: string },
  { from }: Range,
): Edit {
  const isGone = anchor.scope === 'block' && newString === ''
  if (isGone) return { form: 'delete_block', block: anchor.block }
  return { form: 'replace', oldString, newString, at: from }
}
