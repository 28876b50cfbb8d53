/**
 * The body that a webhook is sent (interface §6.3, extensions §6, §11): `{type, timestamp, data}`,
 * `data` being what an inbox says of the act, with the revision. Valid UTF-8 whatever was written,
 * and `data` is at most 64 KiB: longer texts are cut, and `truncated` says so.
 */
import type { AccessControl } from '../../core/access/access-control.ts'
import type { Documents, DocumentView } from '../../core/documents/contract.ts'
import type { WebhookEvent } from '../../core/records/webhook-records.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { limits } from '../../schema/limits.ts'
import type { WireComment } from '../../schema/wire/threads.ts'
import { isoTime } from '../answers/times.ts'
import { shownAct, wishFor } from './shown-acts.ts'

export interface PayloadParts {
  readonly documents: Pick<Documents, 'read'>
  readonly access: Pick<AccessControl, 'actors'>
}

/** `undefined`: what it was about cannot be read by anybody any more. */
export async function webhookPayload(
  event: WebhookEvent,
  { documents, access }: PayloadParts,
): Promise<string | undefined> {
  const view = await readable(documents, event)
  const act = view && (await shownAct(event, view, access))
  if (view === undefined || act === undefined) return undefined
  const { excerpt: _excerpt, ...fields } = act
  const data = dataWithin({ ...fields, revision: view.revision }, limits.webhookDataMaxBytes)
  return textOf({ type: event.event, timestamp: isoTime(event.at), data })
}

async function readable(
  documents: PayloadParts['documents'],
  event: WebhookEvent,
): Promise<DocumentView | undefined> {
  try {
    return await documents.read(event.slug as Slug, wishFor(event))
  } catch (error) {
    if (error instanceof Refusal && gone.has(error.code)) return undefined
    throw error
  }
}

const gone: ReadonlySet<string> = new Set(['DOC_NOT_FOUND', 'DOC_DAMAGED'])

interface Data {
  readonly quote: string | null
  readonly comment: WireComment | null
}

/** A lone half of a surrogate pair has no UTF-8 form: it becomes U+FFFD. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'string' ? one.toWellFormed() : one,
  )

/** The longest texts that are tried, in UTF-16 units. */
const cuts = [16_384, 4_096, 1_024, 256]

function dataWithin<T extends Data>(data: T, maxBytes: number): T {
  const fits = (one: T) => Buffer.byteLength(textOf(one)) <= maxBytes
  if (fits(data)) return data
  for (const chars of cuts) {
    const shorter = { ...cutTo(data, chars), truncated: true }
    if (fits(shorter)) return shorter
  }
  return { ...data, quote: null, comment: null, truncated: true }
}

function cutTo<T extends Data>(data: T, chars: number): T {
  const { quote, comment } = data
  const cut = (text: string) => text.slice(0, chars)
  if (comment === null) return { ...data, quote: quote && cut(quote) }
  const { sentiments: _sentiments, plus_ones: _plusOnes, suggestion, ...rest } = comment
  return {
    ...data,
    quote: quote && cut(quote),
    comment: {
      ...rest,
      text: cut(comment.text),
      ...(suggestion && {
        suggestion: {
          ...suggestion,
          old_string: cut(suggestion.old_string),
          new_string: cut(suggestion.new_string),
        },
      }),
    },
  }
}
