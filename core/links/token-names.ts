/**
 * How a nameless token gets a name (interface §4.7). It changes in a conditional commit of the
 * token's record, the only place that holds it.
 */
import { tokenBySha256, useKey } from '../../persistence/keys.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import type { AccessContext, Credential, TokenCredential } from '../access/credentials.ts'
import { type DocumentToken, readRecord, records } from '../records/records.ts'

/**
 * Gives the holder of a document token this name, or another one (interface §4.7). Agents
 * and accounts keep the name of their profile. `name` has passed `displayNameFrom`. Refuses AUTH_REQUIRED when the
 * token ended.
 */
export async function identify(
  context: AccessContext,
  credential: Credential,
  name: string,
): Promise<{ readonly actor: ActorId; readonly displayName: string }> {
  const { actor, displayName } = credential
  if (actor === undefined) throw new Refusal('AUTH_REQUIRED')
  if (credential.kind !== 'token') return { actor, displayName: displayName ?? name }
  await setName(context, credential, () => name)
  return { actor, displayName: name }
}

/**
 * What an inline `display_name` does (interface §4.7): it names a token that has no name yet, also
 * when others name it at the same time. Refuses what `inlineNameFor` refuses.
 */
export async function identifyInline(
  context: AccessContext,
  credential: Credential,
  name: string,
): Promise<void> {
  if (credential.kind !== 'token' || inlineNameFor(credential, name) === undefined) return
  await setName(context, credential, (displayName) =>
    inlineNameFor({ ...credential, displayName }, name),
  )
}

/** `choose` is told the name as it is, and says which one to take; `undefined`: none. */
async function setName(
  { store, runtime }: AccessContext,
  { sha256 }: TokenCredential,
  choose: (known: string | undefined) => string | undefined,
): Promise<void> {
  const key = tokenBySha256(sha256)
  for (;;) {
    const found = await readRecord(store, key, records.secret)
    if (found === undefined || found.record.type !== 'document') throw new Refusal('AUTH_REQUIRED')
    const name = choose(found.record.displayName)
    if (name === undefined || name === found.record.displayName) return
    const renamed: DocumentToken = { ...found.record, displayName: name }
    const result = await store.commit({
      checks: [{ key, version: found.version }],
      puts: [
        { key, value: records.secret.encode(renamed) },
        { key: useKey(sha256), value: records.use.encode({ usedAt: runtime.now() }) },
      ],
    })
    if (result.ok) return
  }
}

/**
 * What an inline `display_name` means for this caller (interface §4.7): the name to take now, or
 * `undefined` to leave everything as it is. Refuses IDENTITY_MISMATCH for a shared token that goes
 * by another name already.
 */
export function inlineNameFor(credential: Credential, name: string): string | undefined {
  if (credential.kind !== 'token' || credential.displayName === name) return undefined
  if (credential.displayName === undefined) return name
  if (credential.shared) {
    throw new Refusal('IDENTITY_MISMATCH', { display_name: credential.displayName })
  }
  return undefined
}
