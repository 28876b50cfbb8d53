/**
 * What somebody may say of themselves in an awareness state: a plain object of bounded depth. What
 * programs act on is checked: `cursor` is two places in the text or left out, of `user` nothing but
 * a colour is taken. It neither shortens nor repairs; the bound on bytes is the caller's.
 */
import { fragmentName } from './document-schema.ts'

const awarenessStateMaxDepth = 8

/** A state without who it is of. */
export interface SaidState {
  /** JSON of its members, without the braces around them. */
  readonly members: string
  /** `#rrggbb`, as the carets of stock editors take it. */
  readonly color: string | undefined
}

type Json = Readonly<Record<string, unknown>>

/** Names with which a careless reader would reach behind the object. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * `left`: the state is null, its client is not here any more. Undefined: it breaks a rule. Throws
 * on what is no JSON.
 */
export function readState(text: string): SaidState | 'left' | undefined {
  const value: unknown = JSON.parse(text)
  if (value === null) return 'left'
  if (!isPlain(value) || !isSound(value, awarenessStateMaxDepth)) return undefined
  const { user, cursor, ...others } = value
  const kept = cursor === null || isCursor(cursor) ? { ...others, cursor } : others
  const colour = isPlain(user) ? user['color'] : undefined
  return {
    members: JSON.stringify(kept).slice(1, -1),
    color: typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour) ? colour : undefined,
  }
}

export interface ShownUser {
  readonly actor: string | undefined
  readonly name: string | undefined
}

/** The state as it is shown, with who the service knows it is of. */
export function printState({ members, color }: SaidState, { actor, name }: ShownUser): string {
  const user = JSON.stringify({ actor, name, color })
  return members === '' ? `{"user":${user}}` : `{"user":${user},${members}}`
}

/** A selection in the text, as y-prosemirror tells it. */
export function isCursor(value: unknown): value is { readonly anchor: Json; readonly head: Json } {
  return isPlain(value) && isPlace(value['anchor']) && isPlace(value['head'])
}

/** A relative position of Yjs; other numbers and names make those that look it up throw. */
function isPlace(value: unknown): boolean {
  if (!isPlain(value)) return false
  const { type, tname, item, assoc } = value
  if (type == null && tname == null && item == null) return false
  const isNamed = tname == null || tname === fragmentName
  return isNamed && isIdOrNone(type) && isIdOrNone(item) && (assoc == null || isWhole(assoc))
}

const isIdOrNone = (id: unknown): boolean =>
  id == null || (isPlain(id) && isCount(id['client']) && isCount(id['clock']))

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value)
const isCount = (value: unknown): boolean => isWhole(value) && (value as number) >= 0

const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Never goes deeper than it allows. */
function isSound(value: object, depth: number): boolean {
  if (depth === 0) return false
  for (const [name, inner] of Object.entries(value)) {
    if (unsafeNames.has(name)) return false
    if (typeof inner === 'object' && inner !== null && !isSound(inner, depth - 1)) return false
  }
  return true
}
