/** Who takes part in a discussion, as an admitted request says (interface §4.6). */
import type { Answered, Speaker } from '../../core/documents/contract.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { type Answer, bytesOf, jsonType } from '../answers/answer.ts'
import { writerOf } from '../edits/patch-document.ts'
import type { Services } from '../services.ts'

/** After an inline `display_name` took effect. */
export async function speakerOf(
  input: Admitted & { readonly document: DocumentContext },
  services: Services,
): Promise<Speaker> {
  const { permission, sources, idempotencyKey, document, fingerprint, addressHash } = input
  const writer = await writerOf(input, false, services)
  return {
    writer: { ...writer, ipHash: addressHash },
    permission,
    sources,
    unheard: services.people.outbox.unheard(document.slug, writer.actor),
    onNotified: (to) => services.people.outbox.said(document.slug, writer.actor, to),
    ...(idempotencyKey !== undefined && {
      idempotency: { identity: document.access.holder, key: idempotencyKey, fingerprint },
    }),
  }
}

/** In the spelling of the wire already, as it is kept for a retry. */
export const answeredBy = (answer: Answered): Answer<never> =>
  bytesOf(Buffer.from(JSON.stringify(answer)), jsonType)
