/** Reporting a problem (interface §4.9). */
import type { Body } from '../../schema/wire/api.ts'
import { call } from './http.ts'

/** `image_urls` are as the service named them. */
export type Report = Required<Body<'POST /docs/:slug/feedback'>>
export type ReportKind = NonNullable<Report['kind']>

/** `ref`: the request that failed. */
export const sendReport = (slug: string, report: Report, ref: string | undefined) =>
  call('POST /docs/:slug/feedback', ['feedback_id'], { slug, query: { ref }, body: report })
