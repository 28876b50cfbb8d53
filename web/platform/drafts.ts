/**
 * Documents that were begun without a network. The service does not have them yet, so their slugs
 * are made here and are no slugs of the service. What is known of each is kept on this device.
 */
import { readItem, writeItem } from './device-storage.ts'
import { rememberedActor } from './this-browser.ts'

export interface Draft {
  /** Whose copy this device keeps. */
  readonly actor: string
  /** Where in a library it belongs. */
  readonly target?: object
  /** Where it is since the service has it. */
  readonly address?: string
}

const prefix = 'draft-'
const keyOf = (slug: string): string => `draft:${slug}`

export const isDraft = (slug: string): boolean => slug.startsWith(prefix)

/** The slug of a new one. */
export function beginDraft(target: object | undefined): string {
  const slug = prefix + crypto.randomUUID()
  writeDraft(slug, { actor: rememberedActor(), ...(target && { target }) })
  return slug
}

export function readDraft(slug: string): Draft {
  const unknown = { actor: rememberedActor() }
  try {
    return JSON.parse(readItem(keyOf(slug)) ?? 'null') ?? unknown
  } catch {
    return unknown
  }
}

export const writeDraft = (slug: string, draft: Draft): void =>
  writeItem(keyOf(slug), JSON.stringify(draft))
