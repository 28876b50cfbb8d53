/**
 * A 404 for a person who goes to an address in a browser: the page, which says so. Programs get the
 * error as JSON.
 */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../schema/errors.ts'
import { addressesFor } from '../addresses/own-addresses.ts'
import { cookieOf } from '../admission/credentials.ts'
import type { Answer } from '../answers/answer.ts'
import type { Services } from '../services.ts'
import { prefersHtml } from '../sharing/confirmation-page.ts'
import { page } from './page.ts'

/** `undefined`: it is another failure, nobody who looks at pages asks, or no page was built. */
export async function missingPage(
  request: IncomingMessage,
  thrown: unknown,
  services: Services,
): Promise<Answer | undefined> {
  const { method, headers } = request
  if (!(thrown instanceof Refusal) || thrown.status !== 404 || method !== 'GET') return undefined
  if (!prefersHtml(headers.accept ?? '')) return undefined
  const input = {
    header: (name: string) => (name === 'host' ? headers.host : undefined),
    cookie: (name: string) => cookieOf(request, name),
    addresses: addressesFor(request, services.config),
  }
  const told = { missing: thrown.code }
  const shown = { face: 'home', headers: { 'X-Robots-Tag': 'noindex' }, told } as const
  try {
    return { ...(await page(input, services, shown)), status: 404 }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
