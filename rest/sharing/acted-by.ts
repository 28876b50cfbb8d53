/** Who is credited with an act on a document that leaves its text as it is (extensions §5). */
import type { ActedBy } from '../../core/documents/contract.ts'
import { unattributed } from '../../schema/ids.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { DocumentContext } from '../admission/document-access.ts'
import { writerOf } from '../edits/patch-document.ts'
import type { Services } from '../services.ts'

type SharingAct = Pick<Admitted, 'credential' | 'permission' | 'addressHash'> & {
  readonly document: DocumentContext
}

/** One that changes who may do what. */
export function accessActBy({
  document,
  credential,
  permission,
  addressHash,
}: SharingAct): ActedBy {
  const { writer, actor = unattributed } = document.access
  const authMethod = credential?.kind === 'token' ? 'token' : 'anonymous'
  const by = writer ?? ({ actor, authMethod } as const)
  return { event: 'access', writer: { ...by, ipHash: addressHash }, permission }
}

/** The same, after an inline `display_name` took effect (interface §4.7). */
export async function accessActNaming(
  input: Admitted & { readonly document: DocumentContext },
  services: Services,
): Promise<ActedBy> {
  const by = accessActBy(input)
  if (input.displayName === undefined) return by
  const writer = await writerOf(input, false, services)
  return { ...by, writer: { ...writer, ipHash: input.addressHash } }
}
