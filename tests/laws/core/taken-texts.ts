/**
 * A text on each of its ways into a document: created, loaded again, asked for in a dry run, put in
 * the place of another. What comes of it, and how long the longest turn of each way was.
 */
import type { PatchRequest, Writer } from '../../../core/documents/contract.ts'
import { openDocuments } from '../../../core/documents/front/documents.ts'
import { openMemoryStore } from '../../../persistence/memory-store.ts'
import { Refusal } from '../../../schema/errors.ts'
import { type ActorId, newSlug } from '../../../schema/ids.ts'
import { SimulatedRuntime } from '../../simulated-runtime.ts'
import { TurnMeter } from '../../turn-meter.ts'

export const ways = ['create', 'load', 'dry run', 'replace'] as const

export type Way = (typeof ways)[number]

export interface Taken {
  readonly way: Way
  /** `taken`, or what it was refused with. */
  readonly outcome: string
  readonly longestMs: number
  readonly totalMs: number
}

const writer: Writer = { actor: 'ai:one' as ActorId, authMethod: 'token' }
const linkAccess = { mode: 'anyone', role: 'editor' } as const
const base = 'some *words* that stood\n\n- and an\n- item\n'

export async function takeText(markdown: string, on: readonly Way[] = ways): Promise<Taken[]> {
  const meter = new TurnMeter()
  const store = await openMemoryStore({ runtime: new SimulatedRuntime() })
  const onTrouble = ({ error }: { readonly error: unknown }) => {
    throw error
  }
  const open = () => openDocuments({ store, runtime: meter, onTrouble })
  let documents = open()
  const create = async (text: string) => {
    const slug = newSlug(meter)
    const request = { markdown: text, linkAccess, slug, writer, puts: [], replay: null }
    JSON.stringify((await documents.create(request)).markdown)
    return slug
  }
  const patch = async (dryRun: boolean) => {
    const slug = await create(base)
    const edits: PatchRequest['edits'] = [{ replace_document: markdown }]
    return () => documents.patch(slug, { edits, baseRevision: 1, dryRun, writer })
  }
  const takes: Taken[] = []
  const take = async (way: Way, work: () => Promise<unknown>) => {
    if (!on.includes(way)) return
    const outcome = await meter.measure(() => work().then(() => 'taken', refusalIn))
    takes.push({ way, outcome, longestMs: meter.longestMs, totalMs: meter.totalMs })
  }
  let slug: Awaited<ReturnType<typeof create>> | undefined
  await take('create', async () => {
    slug = await create(markdown)
  })
  await documents.close()
  documents = open()
  if (slug !== undefined) await take('load', () => documents.read(slug as typeof slug & string, {}))
  await take('dry run', await patch(true))
  await take('replace', await patch(false))
  await documents.close()
  return takes
}

/** What a refusal says; anything else that is thrown is a bug. */
function refusalIn(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  const { limit, reason, failed_edit_indexes: _, edits } = error.details
  const [edit] = Array.isArray(edits) ? (edits as { reason?: string }[]) : []
  return `${error.code} ${String(limit ?? reason ?? edit?.reason)}`
}
