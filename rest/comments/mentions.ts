/**
 * The mentions of a comment (interface §4.6): visible handles of its text and entries of its body,
 * as far as they stand for somebody else who is there; what its author is to be told about those
 * that call nobody.
 */
import type { Mentioned } from '../../core/access/mentioned.ts'
import type { Notify } from '../../core/documents/contract.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { handlesIn } from '../../schema/mentions.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import type { Services } from '../services.ts'
import { notifyFrom } from './notify.ts'

/** Of one comment. */
const mentionsMax = 20

export interface CommentMentions {
  readonly notify: Notify | undefined
  readonly mentions: readonly ActorId[]
  readonly warning: string | undefined
}

interface CommentDraft {
  readonly text: string
  readonly entries: readonly string[]
  readonly notify: unknown
  readonly by: ActorId
}

/** Refuses NOTIFICATION_REQUIRED, NOTIFICATION_INVALID. */
export async function mentionsOf(
  { text, entries, notify: given, by }: CommentDraft,
  { facts }: DocumentContext,
  { people }: Services,
): Promise<CommentMentions> {
  const visible = handlesIn(text).slice(0, lookedUpMax)
  const found = await people.access.mentioned(facts, [...new Set([...visible, ...entries])])
  const called = new Map<ActorId, Mentioned>()
  for (const one of found.values()) if (one.actor !== by) called.set(one.actor, one)
  const notify = given === undefined ? undefined : notifyFrom(given)
  if (called.size > 0 && by.startsWith('ai:') && notify === undefined) {
    const handles = [...called.values()].map(({ handle }) => handle)
    throw new Refusal('NOTIFICATION_REQUIRED', { mentioned: handles })
  }
  const reached = [...called.values()].filter(({ hasAccess }) => hasAccess)
  const mentions = reached.slice(0, mentionsMax).map(({ actor }) => actor)
  return { notify, mentions, warning: warningOf(entries, found, { called, reached }) }
}

/** More handles in one text are not looked up. */
const lookedUpMax = 100

function warningOf(
  entries: readonly string[],
  found: ReadonlyMap<string, Mentioned>,
  { called, reached }: { called: ReadonlyMap<ActorId, Mentioned>; reached: readonly Mentioned[] },
): string | undefined {
  const nobody = entries.filter((entry) => !found.has(entry))
  const apart = [...called.values()].filter(({ hasAccess }) => !hasAccess)
  const said = [
    nobody.length > 0 && `unknown handles: ${nobody.join(', ')}`,
    apart.length > 0 &&
      `no access to this document, so not notified: ${apart.map(({ handle }) => handle).join(', ')}`,
    reached.length > mentionsMax && `only the first ${mentionsMax} mentions are notified`,
  ].filter((part) => part !== false)
  return said.length === 0 ? undefined : said.join('; ')
}
