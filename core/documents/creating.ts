/**
 * Making a document (interface §4.2): what it is founded on is asked for behind the look-up of the
 * request's key, and again where it is overtaken before the commit. One commit or nothing.
 */
import type { Check, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import type { Json } from '../../schema/json.ts'
import { costOfMarkdown } from '../../schema/memory-cost.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { Overtaken, unlessOvertaken } from '../commit/planned-records.ts'
import { Withdrawn } from '../commit/withdrawn.ts'
import type { CreateOutcome, CreateRequest, Founding, Permission, Sources } from './contract.ts'
import { documentOf, type Idempotency, type KeptOutcome } from './idempotency.ts'
import { buildDocument, storeDocument } from './open/create.ts'
import type { Memory } from './open/memory.ts'

export interface CreateMakers {
  readonly store: Store
  readonly runtime: Runtime
  readonly memory: Memory
  readonly markdownMaxBytes: number
  readonly idempotency: Idempotency
  /** Told of a store that failed. */
  readonly onTrouble: (trouble: { readonly slug: Slug; readonly error: unknown }) => void
}

/** Who asks for memory in nobody's name. */
export const unnamed: Sources = { address: '', link: '' }

/** A text that is parsed and written costs so much more than the document it becomes. */
export const whileBuilt = 1.5

/** So often a founding is asked for. */
const foundingsMax = 4

/** `checks` are part of the commit. Refuses what the founding refuses, and INVALID_MARKDOWN. */
export async function createDocument(
  request: CreateRequest,
  checks: readonly Check[],
  makers: CreateMakers,
): Promise<CreateOutcome> {
  let { permission } = request
  const { costBytes = costOfMarkdown(request.markdown) } = request
  for (let foundings = 1; foundings <= foundingsMax; foundings++) {
    const founding = 'founding' in request ? await request.founding() : request
    const share = await makers.memory.reserve({
      bytes: costBytes * whileBuilt,
      source: request.sources ?? unnamed,
      refusal: 'BUSY',
    })
    try {
      return await create({ request, permission, founding, checks }, makers)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      // It may rest on what has overtaken the founding.
      permission = await permission?.renewed()
    } finally {
      share.release()
    }
  }
  throw new Refusal('UNAVAILABLE')
}

interface Founded {
  readonly request: CreateRequest
  readonly permission: Permission | undefined
  readonly founding: Founding
  readonly checks: readonly Check[]
}

async function create(
  { request, permission, founding, checks }: Founded,
  { store, runtime, markdownMaxBytes, idempotency, onTrouble }: CreateMakers,
): Promise<CreateOutcome> {
  const { slug, writer, idempotency: claim, markdown } = request
  const { linkAccess, replay } = founding
  const parts = { store, runtime, slug, writer, markdown, linkAccess, markdownMaxBytes }
  const built = await buildDocument(parts)
  const { view } = built
  const puts = [...founding.puts]
  if (claim !== undefined) {
    const answer = { replay, title: view.title }
    puts.push(...idempotency.records(claim, { slug, revision: 1, answer }))
  }
  const unmoved = unlessOvertaken(founding.checks ?? [])
  const founded = { checks, puts, permissions: [unmoved, permission] }
  try {
    await storeDocument(built, founded, (error) => onTrouble({ slug, error }))
  } catch (error) {
    if (error instanceof Withdrawn) {
      error.assertNotOf(permission)
      error.assertNotOf(unmoved)
    }
    throw error
  }
  const { title, markdown: canonical, revision } = view
  return { kind: 'created', slug, replay, title, markdown: canonical, revision }
}

/** As the first time, from what was kept and the text of revision 1. */
export async function replayCreate(
  kept: KeptOutcome,
  keptText: (revision: number) => Promise<string>,
): Promise<CreateOutcome> {
  const slug = documentOf(kept)
  const { replay, title } = kept.answer as { replay: Json; title: string }
  return { kind: 'replayed', slug, replay, title, markdown: await keptText(1), revision: 1 }
}
