/** Routes about the service itself: how it is, and what it offers. None asks who calls. */
import { Refusal } from '../../schema/errors.ts'
import { type AnswerHeaders, json, jsonType, textOf } from '../answers/answer.ts'
import { type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import { llmsText } from './llms-text.ts'
import { openApi } from './openapi.ts'
import { referencePage, referencePolicy } from './reference-page.ts'

const open = {
  access: 'none',
  extension: true,
  bodyLimit: 'none',
  answer: 'bounded',
} as const

/** A text that names the host of its request is kept for nobody else. */
const caching = ({ config }: Pick<Services, 'config'>): AnswerHeaders =>
  config.followsHost
    ? { 'Cache-Control': 'no-cache', Vary: 'Host, X-Forwarded-Proto' }
    : { 'Cache-Control': 'public, max-age=3600' }

export const health = route(
  'GET /healthz',
  {
    ...open,
    summary: 'Check that the process is running',
    errors: [],
  },
  () => Promise.resolve(json({ ok: true as const })),
)

export const readiness = route(
  'GET /readyz',
  {
    ...open,
    summary: 'Check that the store responds and requests are accepted',
    errors: [],
  },
  async (_, { ready }) => {
    if (!(await ready())) throw new Refusal('UNAVAILABLE')
    return json({ ok: true as const })
  },
)

export const metrics = route(
  'GET /metrics',
  {
    ...open,
    summary: 'Metrics for Prometheus',
    description: 'For callers on loopback and with the metrics token. Others get 404.',
    success: { type: 'text/plain; version=0.0.4; charset=utf-8' },
    errors: ['NOT_FOUND'],
  },
  async ({ metricsCaller }, services) => {
    const text = await services.metrics?.(metricsCaller)
    if (text === undefined) throw new Refusal('NOT_FOUND')
    return textOf(text, 'text/plain; version=0.0.4; charset=utf-8')
  },
)

/** The pages about the routes, themselves among them. */
export function referenceRoutes(all: () => readonly Route[]): Route[] {
  return [
    route(
      'GET /openapi.json',
      {
        ...open,
        summary: 'Get this reference as OpenAPI 3.1',
        errors: [],
      },
      ({ addresses }, services) => {
        const at = { path: '/openapi.json', ...addresses }
        const write = (base: string) => JSON.stringify(openApi(all(), base))
        return Promise.resolve(textOf(once(at, services, write), jsonType, caching(services)))
      },
    ),
    route(
      'GET /reference',
      {
        ...open,
        summary: 'Get this reference as a web page',
        success: { type: 'text/html; charset=utf-8' },
        errors: [],
      },
      ({ addresses }, services) => {
        const at = { path: '/reference', ...addresses }
        const page = once(at, services, (base) => referencePage(all(), base))
        const headers = { ...caching(services), 'Content-Security-Policy': referencePolicy }
        return Promise.resolve(textOf(page, 'text/html; charset=utf-8', headers))
      },
    ),
    route(
      'GET /llms.txt',
      {
        ...open,
        summary: 'Get a one-page introduction for agents',
        success: { type: 'text/plain; charset=utf-8' },
        errors: [],
      },
      ({ addresses }, services) => {
        const at = { path: '/llms.txt', ...addresses }
        const text = once(at, services, (base) => llmsText(all(), base))
        return Promise.resolve(textOf(text, 'text/plain; charset=utf-8', caching(services)))
      },
    ),
  ]
}

/** In place of the service's address, in texts that are written once for all of them. */
const anyAddress = 'http://address.invalid'

/** These texts say where the service is, and nothing else of it that could change. */
function once(
  { path, baseUrl }: { readonly path: string; readonly baseUrl: string },
  { writtenOnce }: Services,
  write: (baseUrl: string) => string,
): string {
  const text = writtenOnce.get(path) ?? write(anyAddress)
  writtenOnce.set(path, text)
  return text.replaceAll(anyAddress, baseUrl)
}
