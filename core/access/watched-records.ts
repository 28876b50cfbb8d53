/**
 * Which records decide what a credential is worth on a document, so that a change of one is
 * noticed: the secret's own, the token it was minted through, account or agent, grant, the links
 * that the grant refers to, and the document's place in a library. What ends by time calls by
 * itself.
 */
import { accountKey, agentKey, grantKey, tokenBySha256 } from '../../persistence/keys.ts'
import type { Slug } from '../../schema/ids.ts'
import { readRecord, records } from '../records/records.ts'
import { type WatchContext, watchAgentEnd } from './agent-end.ts'
import type { Credential, TokenCredential } from './credentials.ts'
import { placeGrantKeys } from './place-grants.ts'

function tokenKeys({ sha256, parent }: TokenCredential): string[] {
  return [sha256, ...(parent === undefined ? [] : [parent])].map(tokenBySha256)
}

function ownKeys(credential: Credential): string[] {
  if (credential.kind === 'token') return tokenKeys(credential)
  if (credential.kind === 'agent') {
    return [tokenBySha256(credential.sha256), agentKey(credential.agentId)]
  }
  if (credential.kind === 'owner-key') return [tokenBySha256(credential.sha256)]
  const { link, session } = credential
  const account = session && [tokenBySha256(session.sha256), accountKey(session.account.accountId)]
  return [...(link ? tokenKeys(link) : []), ...(account ?? [])]
}

/**
 * Calls back when one of them changes; returns how to stop. Those that a grant names come a moment
 * later, when it is read; `onTrouble` is told when it cannot be.
 */
export function watchCredential(
  context: WatchContext,
  { credential, slug }: { readonly credential: Credential; readonly slug: Slug },
  listener: () => void,
): () => void {
  const { store, onTrouble } = context
  const stops = ownKeys(credential).map((key) => store.watch(key, listener))
  let isOver = false
  if (credential.actor !== undefined) {
    const key = grantKey(slug, credential.actor)
    stops.push(store.watch(key, listener))
    readRecord(store, key, records.grant).then((found) => {
      if (isOver) return
      const links = found?.record.links ?? []
      stops.push(...links.map((sha256) => store.watch(tokenBySha256(sha256), listener)))
    }, onTrouble)
  }
  placeGrantKeys(store, slug, credential).then((keys) => {
    if (!isOver) stops.push(...keys.map((key) => store.watch(key, listener)))
  }, onTrouble)
  if (credential.kind === 'agent') stops.push(watchAgentEnd(context, credential, listener))
  return () => {
    isOver = true
    for (const stop of stops) stop()
  }
}
