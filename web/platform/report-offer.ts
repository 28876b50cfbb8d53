/**
 * Beside the words that say what went wrong: reporting it, where the service wants to hear of such
 * an answer. Only of one that came just now; who opens the report is told once by the page.
 */
import { lastFailure } from '../api/failures.ts'

export interface ReportOffer {
  readonly label: string
  readonly run: () => void
}

const justNowMs = 1_000
let open: (() => void) | undefined

/** `report` opens the dialog; the returned function takes it back. */
export function takeReports(report: () => void): () => void {
  open = report
  return () => {
    if (open === report) open = undefined
  }
}

/** What the service calls its own fault is offered by itself, whatever the page makes of it. */
export function reportOffer(): ReportOffer | undefined {
  const failure = lastFailure.get()
  if (open === undefined || failure === undefined || failure.status === 500) return undefined
  return performance.now() - failure.at < justNowMs ? { label: 'Report…', run: open } : undefined
}
