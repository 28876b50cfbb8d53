/**
 * Requests that may be retried under an `Idempotency-Key` and make something that is no text of a
 * document (extensions §2): made once, and answered as the first time. What is kept is a note from
 * which the answer is made again; secrets are derived.
 */
import { type AttachedRecords, attachedRecordsOf } from '../../core/commit/attached-records.ts'
import type { IdempotencyClaim, PlannedRecords } from '../../core/documents/contract.ts'
import { type Received, uploadIn } from '../bodies/upload.ts'
import type { Services } from '../services.ts'
import type { Admitted } from './admitted.ts'
import { visitorCookie } from './credentials.ts'

/** Of a route whose handler uses `madeOnce`; it declares IDEMPOTENCY_KEY_REUSED. */
export const retryable = {
  keepsOutcome: () => true,
  headers: {
    'Idempotency-Key':
      'Repeating the exact same request with this key returns the first answer again.',
  },
} as const

/**
 * The note of what the effect made, now or when the key was used before. The effect's commit has to
 * hold what it is given. `fingerprint`: of a body that the request's own does not know.
 */
export function madeOnce<Note>(
  input: Admitted,
  services: Services,
  effect: (attached: AttachedRecords<Note>) => Promise<Note>,
  fingerprint: string = input.fingerprint,
): Promise<Note> {
  const claim = claimOf(input, services, fingerprint)
  return services.documents.keep(claim, input.document?.slug, effect)
}

/**
 * The same of an upload: `make` is given the bytes once they are here, and `noteOf` says what is
 * noted of what it made.
 */
export const uploadOnce = <Made, Note>(
  input: Admitted,
  services: Services,
  make: (file: Received, attached: AttachedRecords<Made>) => Promise<Made>,
  noteOf: (made: Made) => Note,
): Promise<Note> =>
  uploadIn(input).receive((file, fingerprint) =>
    madeOnce<Note>(
      input,
      services,
      async (attached) => noteOf(await make(file, attachedRecordsOf(attached, noteOf))),
      fingerprint,
    ),
  )

/** By whom the key was made: the holder of a credential, else a visitor who keeps its cookie. */
function claimOf(
  { idempotencyKey: key, credential, cookie }: Admitted,
  { people }: Services,
  fingerprint: string,
): IdempotencyClaim | undefined {
  if (key === undefined) return undefined
  if (credential !== undefined) return { identity: credential.holder, key, fingerprint }
  const visitor = people.access.visitor(cookie(visitorCookie))
  return visitor.isNew ? undefined : { identity: visitor.holder, key, fingerprint }
}

/** A plan whose commit holds the note of its answer too. */
export const withNote =
  <Answered, Note>(
    plan: () => Promise<PlannedRecords<Answered>>,
    attached: AttachedRecords<Note>,
    noteOf: (answer: Answered) => Note,
  ) =>
  async (): Promise<PlannedRecords<Answered>> => {
    const planned = await plan()
    const { answer, records } = planned
    if (records === undefined) return planned
    const puts = [...records.puts, ...attached.puts(noteOf(answer))]
    return {
      answer,
      records: { ...records, puts, checks: [...records.checks, ...attached.checks] },
    }
  }
