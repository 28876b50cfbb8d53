/**
 * `npm run feedback` lists what people and agents reported, `npm run feedback -- DIR` writes it
 * into a directory, images too: from the running service by its socket, or from the files
 * themselves when none runs.
 */
import { join, resolve } from 'node:path'
import { KeptBlobs } from '../core/assets/kept-blobs.ts'
import { Feedback } from '../core/feedback/feedback.ts'
import { ConcurrencyLimit } from '../core/turns/concurrency-limit.ts'
import { socketName } from './config.ts'
import { ask } from './control-socket.ts'
import { openData, whyNoData } from './data.ts'
import {
  type ExportAnswer,
  exportFeedback,
  type FeedbackAnswer,
  type ListedFeedback,
  listFeedback,
} from './feedback-export.ts'
import { systemRuntime } from './runtime.ts'
import { settings } from './settings.ts'

const [target] = process.argv.slice(2)
const config = settings()
const socketPath = join(config.dataDirectory, socketName)

if (target === undefined) {
  const command = { command: 'feedback' } as const
  const answer =
    (await ask<FeedbackAnswer>(socketPath, command)) ??
    (await fromFiles<FeedbackAnswer>(async (feedback) => ({
      ok: true,
      ...(await listFeedback(feedback)),
    })))
  if (!answer.ok) fail(answer.error)
  else for (const report of answer.feedback) console.log(line(report))
  if (answer.ok && answer.more) console.log('export older reports with: npm run feedback -- DIR')
} else {
  const directory = resolve(target)
  const answer =
    (await ask<ExportAnswer>(socketPath, { command: 'export-feedback', directory })) ??
    (await fromFiles<ExportAnswer>(async (feedback) => ({
      ok: true,
      reports: await exportFeedback(feedback, directory),
    })))
  if (!answer.ok) fail(answer.error)
  else console.log(`${directory}: ${answer.reports} reports`)
}

/** What a terminal would obey is shown as text. */
function line({ id, slug, kind, ref, actor, images, message, createdAt }: ListedFeedback): string {
  const about = [kind, ref, `document ${slug}`, `by ${actor ?? 'nobody'}`]
  const shown = [...about, images.length > 0 && `${images.length} images`].filter(Boolean)
  return `${new Date(createdAt).toISOString()} ${id} (${shown.join(', ')}): ${JSON.stringify(message)}`
}

function fail(error: string): void {
  console.error(error)
  process.exitCode = 1
}

async function fromFiles<A>(
  work: (feedback: Feedback) => Promise<A>,
): Promise<A | { readonly ok: false; readonly error: string }> {
  const missing = whyNoData(config.store)
  if (config.store.kind === 'memory' || missing !== undefined) {
    return { ok: false, error: missing ?? 'no service is running on this DATA_DIR' }
  }
  const runtime = systemRuntime
  const { store, blobs: kept } = await openData(config.store, config.dataDirectory)
  try {
    const blobs = new KeptBlobs(store, kept)
    const writing = new ConcurrencyLimit(runtime, 1)
    const feedback = new Feedback({ store, runtime, blobs, writing, onTrouble: () => {} })
    const answer = await work(feedback)
    feedback.close()
    return answer
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  } finally {
    await store.close()
  }
}
