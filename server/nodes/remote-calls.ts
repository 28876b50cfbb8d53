/**
 * Calls on a document that another node has, for work that comes by no request for it: filling an
 * inbox, ending an account. They are what the front asks of a host, as plain data, sent to the node
 * that holds the document.
 */
import { deserialize, serialize } from 'node:v8'
import type { CallPort } from '../../core/documents/front/hosts.ts'
import { type AskedElsewhere, MovedOn } from '../../core/documents/front/leased-hosts.ts'
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

/** The hosts of another node. */
export function remoteCalls(forwarder: Forwarder): AskedElsewhere {
  return (node: Node): CallPort => ({
    async call(name, ask) {
      const posted = await forwarder.post(node, `${callPath}${ask.slug}`, serialize({ name, ask }))
      if (posted === 'unsent') throw new MovedOn()
      // Nobody knows whether it was done.
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

/** Does at this node what another one asks. */
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
