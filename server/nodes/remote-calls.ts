/**
 * Host calls on a document that another node holds, for work that is no request for that document,
 * such as reading an inbox or deleting an account. The same plain data that the front sends to a
 * host is sent to the other node.
 */
import { deserialize, serialize } from 'node:v8'
import type { CallPort } from '../../core/documents/front/hosts.ts'
import { MovedOn, type RemotePorts } from '../../core/documents/front/leased-hosts.ts'
import { errorOf, type PlainError, plainError } from '../../core/documents/host/plain-errors.ts'
import type { HostCall } from '../../core/documents/host/protocol.ts'
import type { Node } from '../../core/nodes/membership.ts'
import { Refusal } from '../../schema/errors.ts'
import type { Slug } from '../../schema/ids.ts'
import { type Forwarder, nodesPath } from './forwarder.ts'

export const callPath = `${nodesPath}call/`

type Answered =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'error'; readonly error: PlainError }
  | { readonly kind: 'moved' }

/** Ports to the hosts of other nodes. */
export function remoteCalls(forwarder: Forwarder): RemotePorts {
  return (node: Node): CallPort => ({
    async call(name, ask) {
      const posted = await forwarder.post(node, `${callPath}${ask.slug}`, serialize({ name, ask }))
      if (posted === 'unsent') throw new MovedOn()
      // The outcome is unknown.
      if (posted === 'broken') throw new Refusal('UNAVAILABLE')
      const answered: Answered = deserialize(posted)
      switch (answered.kind) {
        case 'answer':
          return answered.answer as never
        case 'error':
          throw errorOf(answered.error, node.id)
        case 'moved':
          throw new MovedOn()
      }
    },
  })
}

/** Answers a call of another node. */
export async function answerCall(
  body: Uint8Array,
  here: (slug: Slug, work: (host: CallPort) => Promise<unknown>) => Promise<unknown>,
): Promise<Uint8Array> {
  const { name, ask }: { name: HostCall; ask: never } = deserialize(body)
  const { slug }: { slug: Slug } = ask
  const answered = await here(slug, (host) => host.call(name, ask)).then(
    (answer): Answered => ({ kind: 'answer', answer }),
    (error: unknown): Answered =>
      error instanceof MovedOn ? { kind: 'moved' } : { kind: 'error', error: plainError(error) },
  )
  return serialize(answered)
}
