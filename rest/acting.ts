/** Who is credited with an act on a document that leaves its text as it is (extensions §5). */
import type { ActedBy } from '../core/documents/contract.ts'
import { unattributed } from '../schema/ids.ts'
import type { Admitted } from './admitted.ts'
import type { DocumentContext } from './route.ts'

type Acting = Pick<Admitted, 'credential' | 'permission' | 'addressHash'> & {
  readonly document: DocumentContext
}

/** One that changes who may do what. */
export function givingAccess({ document, credential, permission, addressHash }: Acting): ActedBy {
  const { writer, actor = unattributed } = document.access
  const authMethod = credential?.kind === 'token' ? 'token' : 'anonymous'
  const by = writer ?? ({ actor, authMethod } as const)
  return { event: 'access', writer: { ...by, ipHash: addressHash }, permission }
}
