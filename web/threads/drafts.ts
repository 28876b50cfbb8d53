/**
 * What was begun to be said and not sent, by account, document and what it answers: kept on this
 * device alone until it is sent or put away, the newest only.
 */
import { readList, writeItem } from '../platform/device-storage.ts'
import type { Subject } from './discussion-state.ts'

export interface Draft {
  readonly actor: string
  readonly slug: string
  /** A thread's id, a comment's that is being changed, or `new`. */
  readonly of: string
  readonly text: string
  /** So that sending it twice says it once. */
  readonly key: string
  /** Of a new comment. */
  readonly subject?: Subject
}

/** A new comment, as `of` of its draft. */
export const newOne = 'new'

const key = 'comment-drafts'
const keptMax = 40
const textMaxChars = 20_000

type Which = Pick<Draft, 'actor' | 'slug' | 'of'>

const isOf =
  (which: Which) =>
  ({ actor, slug, of }: Draft): boolean =>
    actor === which.actor && slug === which.slug && of === which.of

export const draftOf = (which: Which): Draft | undefined => allDrafts().find(isOf(which))

/** A draft without text or subject is none. */
export function keepDraft(draft: Draft): void {
  const isThis = isOf(draft)
  const others = allDrafts().filter((one) => !isThis(one))
  const isNothing = draft.text === '' && draft.subject === undefined
  const text = draft.text.slice(0, textMaxChars)
  const drafts = isNothing ? others : [{ ...draft, text }, ...others]
  writeItem(key, JSON.stringify(drafts.slice(0, keptMax)))
}

export const dropDraft = (which: Which): void => keepDraft({ ...which, text: '', key: '' })

/** Another each time. */
export function newKey(): string {
  const drawn = crypto.getRandomValues(new Uint8Array(16))
  return [...drawn].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const allDrafts = (): readonly Draft[] => readList(key, isDraft)

function isDraft(value: unknown): value is Draft {
  const { actor, slug, of, text, key: sent } = (value ?? {}) as Partial<Draft>
  return [actor, slug, of, text, sent].every((field) => typeof field === 'string')
}
