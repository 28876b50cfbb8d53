/**
 * Making a document (interface §4.2): what it is founded on is asked for behind the look-up of the
 * request's key, and again where it is overtaken before the commit. One commit or nothing.
 */
import type { Check, Store } from '../../persistence/store.ts'
import { Refusal } from '../../schema/errors.ts'
import { titleOf } from '../../schema/markdown/title.ts'
import { costOfMarkdown } from '../../schema/memory-cost.ts'
import { Overtaken, unlessOvertaken } from '../commit/planned-records.ts'
import { Withdrawn } from '../commit/withdrawn.ts'
import type { CreateOutcome, CreateRequest, Founding, Permission, Sources } from './contract.ts'
import type { Idempotency, KeptOutcome } from './idempotency.ts'
import { buildDocument } from './open/create.ts'
import type { Share } from './open/memory.ts'
import { OpenDocument, type OpenDocumentParts } from './open/open-document.ts'
import type { Registry, RegistryHooks } from './open/registry.ts'

export interface CreateMakers {
  readonly store: Store
  readonly registry: Registry
  readonly shared: Pick<OpenDocumentParts, 'runtime' | 'rounds' | 'markdownMaxBytes' | 'limits'>
  readonly idempotency: Idempotency
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
  for (let foundings = 1; foundings <= foundingsMax; foundings++) {
    const founding = 'founding' in request ? await request.founding() : request
    const share = await makers.registry.memory.reserve({
      bytes: costOfMarkdown(request.markdown) * whileBuilt,
      source: request.sources ?? unnamed,
      refusal: 'BUSY',
    })
    try {
      return await build({ request, permission, founding, share, checks }, makers)
    } catch (error) {
      share.release()
      if (!(error instanceof Overtaken)) throw error
      // It may rest on what has overtaken the founding.
      permission = await permission?.renewed()
    }
  }
  throw new Refusal('UNAVAILABLE')
}

interface Build {
  readonly request: CreateRequest
  readonly permission: Permission | undefined
  readonly founding: Founding
  readonly share: Share
  readonly checks: readonly Check[]
}

async function build(
  { request, permission, founding, share, checks }: Build,
  { store, registry, shared, idempotency }: CreateMakers,
): Promise<CreateOutcome> {
  const { slug, writer, idempotency: claim, markdown } = request
  const { linkAccess, replay } = founding
  const built = await buildDocument({ ...shared, store, slug, writer, markdown, linkAccess })
  const puts = [...founding.puts]
  if (claim !== undefined) {
    const answer = { replay, title: titleOf(built.state.text) }
    puts.push(...idempotency.records(claim, { slug, revision: 1, answer }))
  }
  const unmoved = unlessOvertaken(founding.checks ?? [])
  const permissions = [unmoved, permission]
  const make = async (hooks: RegistryHooks) => {
    const created = new OpenDocument({ ...built, ...shared, ...hooks })
    created.writes.begin(built, { writer, extras: { checks, puts }, permissions })
    await created.durable().catch((error: unknown) => {
      if (!(error instanceof Withdrawn)) throw error
      error.assertNotOf(permission)
      error.assertNotOf(unmoved)
      throw error
    })
    return created
  }
  const view = await registry.adopt({ slug, share, make }, (document) => document.settle())
  return { kind: 'created', view, replay }
}

/** As the first time, from what was kept and the text of revision 1. */
export async function replayCreate(
  { slug, answer }: KeptOutcome,
  keptText: (revision: number) => Promise<string>,
): Promise<CreateOutcome> {
  const { replay, title } = answer as { replay: unknown; title: string }
  return { kind: 'replayed', slug, replay, title, markdown: await keptText(1), revision: 1 }
}
