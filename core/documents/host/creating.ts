/**
 * Making a document in its host (interface §4.2), with all that belongs into its first commit. One
 * commit or nothing.
 */
import type { Store } from '../../../persistence/store.ts'
import type { Slug } from '../../../schema/ids.ts'
import { costOfMarkdown } from '../../../schema/memory-cost.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { outcomeRecords } from '../../commit/kept-outcomes.ts'
import { StalePermission, Withdrawn } from '../../commit/permission.ts'
import { Overtaken, unlessOvertaken } from '../../commit/planned-records.ts'
import type { FairWork } from '../live/fair-work.ts'
import type { Sources } from '../live/live-peer.ts'
import { buildDocument, storeDocument } from '../open/create.ts'
import type { Memory } from '../open/memory.ts'
import type { CreateAsk, CreatedText } from './protocol.ts'

export interface CreateMakers {
  readonly store: Store
  readonly runtime: Runtime
  readonly memory: Memory
  readonly fair: FairWork
  readonly markdownMaxBytes: number
  /** Told of a store that failed. */
  readonly onTrouble: (trouble: { readonly slug: Slug; readonly error: unknown }) => void
}

/** Who asks for memory in nobody's name. */
export const unnamed: Sources = { address: '', link: '' }

/** A text that is parsed and written costs so much more than the document it becomes. */
export const whileBuilt = 1.5

/**
 * Refuses INVALID_MARKDOWN, PAYLOAD_TOO_LARGE; throws `StalePermission`, and `Overtaken` where what
 * the founding rests on was written meanwhile.
 */
export async function createDocument(ask: CreateAsk, makers: CreateMakers): Promise<CreatedText> {
  const { costBytes = costOfMarkdown(ask.markdown), sources } = ask
  const share = await makers.memory.reserve({
    bytes: costBytes * whileBuilt,
    source: sources,
    refusal: 'BUSY',
  })
  try {
    const by = { slug: ask.slug, ...sources }
    return await makers.fair.run(by, () => create(ask, makers))
  } finally {
    share.release()
  }
}

async function create(
  ask: CreateAsk,
  { store, runtime, markdownMaxBytes, onTrouble }: CreateMakers,
): Promise<CreatedText> {
  const { slug, writer, keeping, markdown, linkAccess, replay, permission } = ask
  const parts = { store, runtime, slug, writer, markdown, linkAccess, markdownMaxBytes }
  const built = buildDocument(parts)
  const { view } = built
  const outcome = { slug, revision: 1, answer: { replay, title: view.title } }
  const kept = keeping && outcomeRecords(keeping, outcome)
  const unmoved = unlessOvertaken(ask.founding)
  const permissions = [unmoved, permission]
  try {
    const puts = [...ask.puts, ...(kept ?? [])]
    const founded = { checks: keeping ? [keeping.check] : [], puts, permissions }
    await storeDocument(built, founded, (error) => onTrouble({ slug, error }))
  } catch (error) {
    if (!(error instanceof Withdrawn)) throw error
    // What is founded anew has its permission looked up again.
    throw error.isOf(unmoved) ? new Overtaken() : new StalePermission()
  }
  const { title, markdown: canonical, revision } = view
  return { title, markdown: canonical, revision }
}
