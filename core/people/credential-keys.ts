/** Which records decide what a credential is worth on a document, so that a change is noticed. */
import { tokenBySha256 } from '../../persistence/keys.ts'
import type { Slug } from '../../schema/ids.ts'
import { grantKey } from './grants.ts'
import type { Credential } from './identity.ts'

export function keysBehind(credential: Credential, slug: Slug): string[] {
  const grant = credential.actor === undefined ? [] : [grantKey(slug, credential.actor)]
  if (credential.kind !== 'browser') return [tokenBySha256(credential.sha256), ...grant]
  const link = credential.link === undefined ? [] : [tokenBySha256(credential.link.sha256)]
  return [...link, ...grant]
}
