/** What the page says of a webhook and its deliveries. Pure. */
import type { Delivery, WebhookStatus } from '../../api/webhooks.ts'

export function stateWords({ state, waiting }: WebhookStatus): string {
  const more = waiting === 0 ? '' : ` ${waiting} pending.`
  switch (state) {
    case 'off':
      return 'No webhook address is set. The agent sets it through the API.'
    case 'ok':
      return `Working.${more}`
    case 'failing':
      return `Failing. Deliveries are retried on a schedule.${more}`
    case 'gone':
      return 'Off, because the receiver answered 410 Gone. The agent must set the address again.'
  }
}

export function deliveryWords({ state, attempts }: Delivery): string {
  const last = attempts.at(-1)
  const tries = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`
  switch (state) {
    case 'delivered':
      return `delivered, ${tries}`
    case 'waiting':
      return last === undefined ? 'pending' : `pending, ${tries}, ${last.error ?? 'no error'}`
    case 'given_up':
      return `failed, ${last?.error ?? 'no attempt'}`
  }
}

const day = 24 * 3_600_000

/** As far back as a replay may go, but for a minute that clocks may differ by. */
export const replayedSince = (now: number): string =>
  new Date(now - 30 * day + 60_000).toISOString()
