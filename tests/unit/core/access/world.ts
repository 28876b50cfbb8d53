/**
 * What the tests of people share: a memory store, a clock that can be moved, a document's facts.
 */

import type { Credential, SecretCredential } from '../../../../core/access/credentials.ts'
import { type Access, accessOn } from '../../../../core/access/roles.ts'
import type { DocumentFacts } from '../../../../core/documents/contract.ts'
import { openPeople, type People } from '../../../../core/people.ts'
import { openMemoryStore } from '../../../../persistence/memory-store.ts'
import type { Store } from '../../../../persistence/store.ts'
import { newSlug, type Slug } from '../../../../schema/ids.ts'
import type { Runtime } from '../../../../schema/runtime.ts'
import { systemRuntime } from '../../../../server/runtime.ts'

export interface World {
  readonly store: Store
  readonly runtime: Runtime
  readonly people: People
  ahead: number
  /** Commits an anonymous create; the creator is named when `name` is given. */
  create(name?: string): Promise<CreatedDocument>
  /** What the holder of a credential is on a document. */
  access(credential: Credential | undefined, facts: DocumentFacts): Promise<Access | undefined>
  /** The credential of a secret that must be good. */
  credential(secret: string): Promise<SecretCredential>
  /** Every stored byte as text. */
  everything(): Promise<string>
}

export interface CreatedDocument {
  readonly slug: Slug
  readonly access: string
  readonly share: string
  readonly facts: DocumentFacts
}

export const secretKey = Buffer.alloc(32, 3)

export async function openWorld(): Promise<World> {
  const clock = { ahead: 0 }
  const runtime: Runtime = {
    ...systemRuntime,
    now: () => systemRuntime.now() + clock.ahead,
    elapsed: () => systemRuntime.elapsed() + clock.ahead,
  }
  const store = await openMemoryStore({ runtime })
  const people = openPeople({ store, runtime, secretKey })
  return {
    store,
    runtime,
    people,
    get ahead() {
      return clock.ahead
    },
    set ahead(ms) {
      clock.ahead = ms
    },
    async create(name) {
      const slug = newSlug(runtime)
      const creation = people.links.prepareCreation({
        slug,
        credential: undefined,
        displayName: name,
      })
      const { puts, replay } = creation.founding(undefined)
      await store.commit({ puts })
      const told = people.links.creatorAccess(replay)
      const facts = factsOf(slug, 'anyone')
      return { slug, access: told.accessToken ?? '', share: told.shareToken, facts }
    },
    access: async (credential, facts) =>
      accessOn(await people.access.standing(credential, facts.slug), facts),
    async credential(secret) {
      const credential = await people.access.authenticate(secret)
      if (credential === undefined) throw new Error('the secret is not good')
      return credential
    },
    async everything() {
      const parts: string[] = []
      for await (const { key, value } of store.scan({ gte: '' })) {
        parts.push(key, Buffer.from(value).toString())
      }
      return parts.join('\n')
    },
  }
}

export const factsOf = (slug: Slug, mode: 'anyone' | 'restricted'): DocumentFacts => ({
  slug,
  linkAccess: { mode, role: 'editor' },
  readOnly: false,
  commentsDisabled: false,
  life: { state: 'active' },
  createdAt: 0,
})

/** The code of the refusal that `attempt` ends in. */
export async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
  return 'no refusal'
}
