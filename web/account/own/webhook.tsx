/** The webhook of one of one's own agents: its state, its last deliveries, sending them again. */
import { type ReactNode, useState } from 'react'
import {
  type AgentWebhook,
  type Delivery,
  lastDeliveries,
  readWebhook,
  redeliver,
  replayDeliveries,
  testWebhook,
} from '../../api/webhooks.ts'
import { countedNoun } from '../../platform/counted-noun.ts'
import { notify } from '../../platform/notices.ts'
import { problemOf } from '../problems.ts'
import { Time } from './sessions.tsx'
import { deliveryWords, replayedSince, stateWords } from './webhook-words.ts'

interface Shown extends AgentWebhook {
  readonly deliveries: readonly Delivery[]
}

/** Closed until somebody looks. */
export function Webhook({ agent, name }: { readonly agent: string; readonly name: string }) {
  const [shown, setShown] = useState<Shown>()
  const [isBusy, setBusy] = useState(false)
  const load = async () => {
    const [webhook, deliveries] = await Promise.all([readWebhook(agent), lastDeliveries(agent)])
    setShown({ ...webhook, deliveries })
  }
  const act = async (work: () => Promise<unknown>, done?: string) => {
    setBusy(true)
    try {
      await work()
      if (done !== undefined) notify(done)
      await load()
    } catch (error) {
      notify(problemOf(error).text, 'problem')
    }
    setBusy(false)
  }
  return (
    <details
      className="webhook"
      onToggle={(event) => {
        if (event.currentTarget.open) void act(async () => {})
      }}
    >
      <summary aria-label={`Webhook of ${name}`}>Webhook</summary>
      {shown === undefined ? null : (
        <Opened shown={shown} isBusy={isBusy} agent={agent} act={act} load={load} />
      )}
    </details>
  )
}

interface OpenedProps {
  readonly shown: Shown
  readonly agent: string
  readonly isBusy: boolean
  readonly act: (work: () => Promise<unknown>, done?: string) => Promise<void>
  readonly load: () => Promise<void>
}

function Opened({ shown, agent, isBusy, act, load }: OpenedProps) {
  const { webhook_url: url, webhook_status: status, deliveries } = shown
  const isSendable = status.state === 'ok' || status.state === 'failing'
  const replay = async () => {
    const { queued } = await replayDeliveries(agent, replayedSince(Date.now()))
    notify(
      queued === 0
        ? 'No failed deliveries to resend.'
        : `${countedNoun(queued, 'delivery')} queued.`,
    )
  }
  return (
    <>
      <p role="status">{stateWords(status)}</p>
      {url === null ? null : <p className="webhook-address">{url}</p>}
      {status.last_error === null || status.state === 'ok' ? null : (
        <p>Last error: {status.last_error}</p>
      )}
      <p className="webhook-actions">
        <Act isOff={isBusy || !isSendable} act={() => act(() => testWebhook(agent), 'Test sent.')}>
          Send a test
        </Act>
        <Act isOff={isBusy || !isSendable} act={() => act(replay)}>
          Resend failed deliveries
        </Act>
        <Act isOff={isBusy} act={() => act(load)}>
          Refresh
        </Act>
      </p>
      {deliveries.length === 0 ? (
        <p>No deliveries in the last 30 days.</p>
      ) : (
        <ul className="webhook-deliveries" aria-label="Recent deliveries">
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <span>
                <code>{delivery.event}</code> <Time iso={delivery.created_at} /> ·{' '}
                {deliveryWords(delivery)}
              </span>
              <Act
                isOff={isBusy || !isSendable}
                act={() => act(() => redeliver(agent, delivery.id), 'Delivery queued.')}
              >
                Redeliver
              </Act>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface ActProps {
  readonly isOff: boolean
  readonly act: () => Promise<void>
  readonly children: ReactNode
}

const Act = ({ isOff, act, children }: ActProps) => (
  <button type="button" className="button button-line" disabled={isOff} onClick={() => void act()}>
    {children}
  </button>
)
