/**
 * Confirmations of short links (interface §4.10): a ticket that this service signed for one link,
 * good for `confirmationTtlMs` and once. Only a spent one leaves a record, for as long as it
 * would have been good, so that asking for tickets fills no store.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { confirmationKey, confirmationsBefore } from '../../persistence/keys.ts'
import type { Store } from '../../persistence/store.ts'
import type { Runtime } from '../../schema/runtime.ts'
import { type SecretKey, sha256Hex } from '../records/secrets.ts'

export const confirmationTtlMs = 5 * 60_000

interface ConfirmationContext {
  readonly store: Store
  /** What tickets live by does not jump. */
  readonly runtime: Runtime
  /** What is shown to people. */
  readonly wall: Pick<Runtime, 'now'>
  readonly secretKey: SecretKey
}

export interface Confirmation {
  readonly ticket: string
  /** For the caller to know, by the clock on the wall; milliseconds since the epoch. */
  readonly expiresAt: number
}

const nonceBytes = 16

export function newConfirmation(
  { runtime, wall, secretKey }: ConfirmationContext,
  code: string,
): Confirmation {
  const expiresAt = runtime.now() + confirmationTtlMs
  const nonce = Buffer.from(runtime.randomBytes(nonceBytes)).toString('base64url')
  const claim = `${expiresAt.toString(36)}.${nonce}`
  return {
    ticket: `${claim}.${signature(secretKey, code, claim)}`,
    expiresAt: wall.now() + confirmationTtlMs,
  }
}

/**
 * Whether the ticket is good, and spends nothing; `undefined`: this service never signed it for this
 * code.
 */
export async function isGoodConfirmation(
  context: Omit<ConfirmationContext, 'wall'>,
  code: string,
  ticket: string,
): Promise<boolean | undefined> {
  const key = keyOf(context, code, ticket)
  if (key === undefined) return undefined
  return key !== 'over' && (await context.store.get(key.spent)) === undefined
}

/**
 * Whether the ticket was good until now; `undefined`: this service never signed it for this code.
 */
export async function spendConfirmation(
  context: Omit<ConfirmationContext, 'wall'>,
  code: string,
  ticket: string,
): Promise<boolean | undefined> {
  const key = keyOf(context, code, ticket)
  if (key === undefined || key === 'over') return key && false
  const result = await context.store.commit({
    checks: [{ key: key.spent, version: undefined }],
    puts: [{ key: key.spent, value: new Uint8Array() }],
  })
  return result.ok
}

/** Where it is noted that a ticket was spent. */
function keyOf(
  { runtime, secretKey }: Pick<ConfirmationContext, 'runtime' | 'secretKey'>,
  code: string,
  ticket: string,
): { readonly spent: string } | 'over' | undefined {
  const [, claim = '', time = '', signed = ''] =
    /^(([0-9a-z]{1,12})\.[\w-]{22})\.([\w-]{43})$/.exec(ticket) ?? []
  const expected = Buffer.from(signature(secretKey, code, claim))
  const given = Buffer.from(signed)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const expiresAt = Number.parseInt(time, 36)
  if (expiresAt <= runtime.now()) return 'over'
  return { spent: confirmationKey(Math.ceil(expiresAt / 1000), sha256Hex(ticket)) }
}

const signature = (key: SecretKey, code: string, claim: string): string =>
  createHmac('sha256', key).update(`confirm:${code}:${claim}`).digest('base64url')

/** Deletes the records of tickets that time has ended too. */
export async function sweepConfirmations(store: Store, runtime: Runtime): Promise<void> {
  await store.deleteRange(confirmationsBefore(Math.ceil(runtime.now() / 1000)))
}
