/** Which records decide what a credential is worth on a document, so that a change is noticed. */
import { accountKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Slug } from '../../schema/ids.ts'
import { grantKey } from './grants.ts'
import type { Credential } from './identity.ts'

export function keysBehind(credential: Credential, slug: Slug): string[] {
  const grant = credential.actor === undefined ? [] : [grantKey(slug, credential.actor)]
  if (credential.kind !== 'browser') return [tokenBySha256(credential.sha256), ...grant]
  const { link, session } = credential
  return [
    ...(link === undefined ? [] : [tokenBySha256(link.sha256)]),
    ...(session === undefined
      ? []
      : [tokenBySha256(session.sha256), accountKey(session.account.accountId)]),
    ...grant,
  ]
}
