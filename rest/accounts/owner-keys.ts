/** Owner keys of a person’s account (interface §5, extensions §3, §9). */
import type { NewOwnerKey } from '../../core/accounts/owner-keys.ts'
import { attachedRecordsOf } from '../../core/commit/attached-records.ts'
import { displayNameFrom } from '../../core/records/display-name.ts'
import { sessionOf } from '../admission/credential-kinds.ts'
import { madeOnce, retryable } from '../admission/retries.ts'
import { json } from '../answers/answer.ts'
import { isoOrNull, isoTime } from '../answers/times.ts'
import { route } from '../route.ts'

const own = { extension: true, access: 'account' } as const

type NewKey = Pick<NewOwnerKey, 'keyId' | 'createdAt'> & { readonly secretId: string }

export const makeOwnerKey = route(
  'POST /auth/owner-keys',
  {
    bodyLimit: 'fields',
    answer: 'bounded',
    ...own,
    summary: 'Create an owner key',
    description:
      'With an owner key, a script can create documents and ephemeral agents in the ' +
      'account’s name and do nothing else. The key is shown only once. Guests cannot have ' +
      'owner keys.',
    quota: 'account',
    ...retryable,
    optionalBody: true,
    success: { status: 201 },
    errors: ['LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  async (input, services) => {
    const { body, credential } = input
    const { accounts, secrets } = services.people
    const name = displayNameFrom(body.name ?? 'Owner key', '/name')
    const { accountId } = sessionOf(credential).account
    const made = await madeOnce<NewKey>(input, services, async (attached) => {
      const { id: secretId, secret } = secrets.make('ark')
      const noteOf = ({ keyId, createdAt }: NewOwnerKey) => ({ keyId, createdAt, secretId })
      const request = { accountId, name, secret }
      return noteOf(await accounts.createOwnerKey(request, attachedRecordsOf(attached, noteOf)))
    })
    const key = secrets.again('ark', made.secretId)
    return json({ key_id: made.keyId, key, name, created_at: isoTime(made.createdAt) })
  },
)

export const listOwnerKeys = route(
  'GET /auth/owner-keys',
  {
    bodyLimit: 'none',
    answer: 'bounded',
    ...own,
    summary: 'List the owner keys of this account',
    description: 'Newest first, without the keys themselves.',
    errors: [],
  },
  async ({ credential }, { people }) => {
    const keys = await people.accounts.ownerKeys(sessionOf(credential).account.accountId)
    return json({
      keys: keys.map(({ keyId, name, createdAt, lastUsedAt }) => ({
        key_id: keyId,
        name,
        created_at: isoTime(createdAt),
        last_used_at: isoOrNull(lastUsedAt),
      })),
    })
  },
)

export const revokeOwnerKey = route(
  'DELETE /auth/owner-keys/:key_id',
  {
    ...own,
    bodyLimit: 'none',
    answer: 'bounded',
    summary: 'Revoke an owner key',
    errors: ['NOT_FOUND'],
  },
  async ({ credential, params }, { people }) => {
    const keyId = params['key_id'] ?? ''
    await people.accounts.revokeOwnerKey(sessionOf(credential).account.accountId, keyId)
    return json({ deleted: true as const, key_id: keyId })
  },
)
