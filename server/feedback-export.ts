/** What came as feedback, for an operator: a line each, or files (interface §4.9). */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Feedback } from '../core/feedback/feedback.ts'
import type { FeedbackRecord } from '../core/records/records.ts'
import { type Command, type Refused, required } from './control-socket.ts'

export type ListedFeedback = FeedbackRecord
export type FeedbackAnswer =
  | { readonly ok: true; readonly feedback: readonly ListedFeedback[]; readonly more: boolean }
  | Refused
export type ExportAnswer = { readonly ok: true; readonly reports: number } | Refused

const listedMax = 500

export function feedbackCommands(
  feedback: Pick<Feedback, 'all' | 'openImage'>,
): Readonly<Record<'feedback' | 'export-feedback', Command>> {
  return {
    feedback: () => listFeedback(feedback),
    'export-feedback': async (request) => ({
      reports: await exportFeedback(feedback, required(request, 'directory')),
    }),
  }
}

/** The newest last. */
export async function listFeedback(feedback: Pick<Feedback, 'all'>) {
  const found: FeedbackRecord[] = []
  let more = false
  for await (const { report } of feedback.all()) {
    found.push(report)
    if (found.length <= 2 * listedMax) continue
    more = true
    found.sort(byTime).splice(0, listedMax)
  }
  found.sort(byTime)
  return { feedback: found.slice(-listedMax), more: more || found.length > listedMax }
}

const byTime = (a: FeedbackRecord, b: FeedbackRecord): number => a.createdAt - b.createdAt

/** A file of JSON each, its images beside it, into an empty directory; answers how many. */
export async function exportFeedback(
  feedback: Pick<Feedback, 'all' | 'openImage'>,
  target: string,
): Promise<number> {
  const directory = resolve(target)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await readdir(directory)).length > 0) throw new Error(`${directory} is not empty`)
  let reports = 0
  for await (const { report, images } of feedback.all()) {
    const files: string[] = []
    for (const image of images) {
      const name = `${report.id}-${files.length + 1}.${image.type.replace('image/', '')}`
      const blob = await feedback.openImage(image)
      await writeFile(join(directory, name), blob.read(0, blob.size), { mode: 0o600 })
      files.push(name)
    }
    const { createdAt, ...rest } = report
    const shown = { ...rest, at: new Date(createdAt).toISOString(), images: files }
    const text = `${JSON.stringify(shown, undefined, 2)}\n`
    await writeFile(join(directory, `${report.id}.json`), text, { mode: 0o600 })
    reports += 1
  }
  return reports
}
