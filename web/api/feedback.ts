/** Reporting a problem (interface §4.9). */
import { call } from './http.ts'

export type ReportKind = 'bug' | 'friction' | 'wish'

export interface Report {
  readonly message: string
  readonly kind: ReportKind
  /** As the service named them. */
  readonly image_urls: readonly string[]
}

/** `ref`: the request that failed. */
export function sendReport(slug: string, report: Report, ref: string | undefined) {
  const query = ref === undefined ? '' : `?ref=${encodeURIComponent(ref)}`
  return call<{ feedback_id: string }>(`/docs/${slug}/feedback${query}`, ['feedback_id'], {
    method: 'POST',
    body: report,
  })
}
