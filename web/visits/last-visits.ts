/**
 * Up to which revision each document has been seen here, and what of the changes before was not
 * read yet: by account and document, kept on this device alone, the newest visits only. Who has no
 * account yet visits as nobody; an account that has not been here begins where nobody was.
 */
import { readList, writeItem } from '../platform/device-storage.ts'
import { nobody, rememberedActor } from '../platform/this-browser.ts'

/** A block that others changed, as `GET /docs/:slug/since` tells it (extensions §12). */
export interface BlockChange {
  readonly block_id: string
  readonly kind: 'added' | 'changed' | 'deleted'
  readonly actor_ids: readonly string[]
}

export interface Unread {
  /** When the visit before ended; milliseconds since the epoch, like all times here. */
  readonly since: number
  readonly from: number
  readonly changes: readonly BlockChange[]
}

export interface Visit {
  readonly actor: string
  readonly slug: string
  readonly revision: number
  readonly at: number
  readonly unread?: Unread
}

const key = 'visits'
const keptMax = 200
/** Of so many documents the changes that nobody has read are kept, and so many of each. */
const unreadKeptMax = 20
const changesMax = 60

export function lastVisit(actor: string, slug: string): Visit | undefined {
  const visits = allVisits().filter((visit) => visit.slug === slug)
  return visits.find((one) => one.actor === actor) ?? visits.find((one) => one.actor === nobody)
}

export function rememberVisit(visit: Visit): void {
  const isOther = ({ actor, slug }: Visit) => actor !== visit.actor || slug !== visit.slug
  const visits = [visit, ...allVisits().filter(isOther)].slice(0, keptMax)
  writeItem(key, JSON.stringify(visits.map(bounded)))
}

/**
 * Whether somebody else changed a document, last by `by`, since this browser's account was in it;
 * false also where it has never been opened here.
 */
export function hasNews({ slug, at, by }: Changed): boolean {
  const actor = rememberedActor()
  const visit = lastVisit(actor, slug)
  if (visit === undefined) return false
  return visit.unread !== undefined || (by !== undefined && by !== actor && at > visit.at)
}

interface Changed {
  readonly slug: string
  readonly at: number
  /** Absent: nobody knows. */
  readonly by: string | undefined
}

function bounded({ unread, ...visit }: Visit, index: number): Visit {
  const isKept = unread !== undefined && index < unreadKeptMax
  if (!isKept) return visit
  return { ...visit, unread: { ...unread, changes: unread.changes.slice(0, changesMax) } }
}

const allVisits = (): readonly Visit[] => readList(key, isVisit)

function isVisit(value: unknown): value is Visit {
  const { actor, slug, revision, at, unread } = (value ?? {}) as Partial<Visit>
  const isWhole = typeof actor === 'string' && typeof slug === 'string'
  const isCounted = typeof revision === 'number' && typeof at === 'number'
  return isWhole && isCounted && (unread === undefined || Array.isArray(unread.changes))
}
