/**
 * The places in the text that changes are at, in its order: of a list and its items the innermost
 * that changed, blocks that stand together and were changed by the same people as one, and where
 * blocks are gone one place for all that stood there.
 */
import type { Node } from 'prosemirror-model'
import type { BlockChange } from './last-visits.ts'

export interface ChangePlace {
  /** Of the changes that are told by it. */
  readonly ids: readonly string[]
  readonly kind: BlockChange['kind']
  readonly actor_ids: readonly string[]
  /** The blocks that stand there; of what is gone the one that it stood beside. */
  readonly blocks: readonly string[]
  /** What is gone stood behind that block, or before it. */
  readonly edge?: 'after' | 'before'
  readonly pos: number
}

/** Where a deleted block stood (interface §4.11). */
export interface FormerPlace {
  readonly near: string
  readonly edge: 'after' | 'before'
}

interface Found {
  readonly change: BlockChange
  /** It, and those around and in it that need no place of their own. */
  readonly ids: readonly string[]
  readonly pos: number
  readonly end: number
}

export function changePlacesOf(
  doc: Node,
  changes: readonly BlockChange[],
  formerPlaces: ReadonlyMap<string, FormerPlace>,
): readonly ChangePlace[] {
  const positions = positionsIn(doc, changes, formerPlaces)
  const runs = runsOf(standing(doc, changes, positions))
  const places = [...gone(doc, { changes, formerPlaces, positions }), ...runs]
  return places.sort((a, b) => a.pos - b.pos)
}

function positionsIn(
  doc: Node,
  changes: readonly BlockChange[],
  formerPlaces: ReadonlyMap<string, FormerPlace>,
): ReadonlyMap<string, number> {
  const wanted = new Set(changes.map(({ block_id }) => block_id))
  for (const { near } of formerPlaces.values()) wanted.add(near)
  const positions = new Map<string, number>()
  doc.descendants((node, pos) => {
    const id = node.attrs['id']
    if (typeof id === 'string' && wanted.has(id)) positions.set(id, pos)
    return !node.inlineContent
  })
  return positions
}

/** Ascending. What is new is one place, however much is in it; else the innermost tells. */
function standing(
  doc: Node,
  changes: readonly BlockChange[],
  positions: ReadonlyMap<string, number>,
): readonly Found[] {
  const found = changes
    .flatMap((change): Found[] => {
      const pos = positions.get(change.block_id)
      if (pos === undefined) return []
      const end = pos + (doc.nodeAt(pos)?.nodeSize ?? 1)
      return [{ change, ids: [change.block_id], pos, end }]
    })
    .sort((a, b) => a.pos - b.pos || b.end - a.end)
  const kept: Found[] = []
  for (const one of found) {
    const last = kept.at(-1)
    const isIn = last !== undefined && last.end >= one.end
    if (isIn && last.change.kind === 'added') {
      kept[kept.length - 1] = { ...last, ids: [...last.ids, ...one.ids] }
    } else if (isIn) kept[kept.length - 1] = { ...one, ids: [...last.ids, ...one.ids] }
    else kept.push(one)
  }
  return kept
}

function runsOf(found: readonly Found[]): readonly ChangePlace[] {
  const places: ChangePlace[] = []
  let end = -1
  for (const { change, ids, pos, end: stop } of found) {
    const { block_id: id, kind, actor_ids } = change
    const last = places.at(-1)
    const isNext = last?.kind === kind && end === pos
    if (last !== undefined && isNext && last.actor_ids.join() === actor_ids.join()) {
      const both = { ids: [...last.ids, ...ids], blocks: [...last.blocks, id] }
      places[places.length - 1] = { ...last, ...both }
    } else places.push({ ids, kind, actor_ids, blocks: [id], pos })
    end = stop
  }
  return places
}

interface Gone {
  readonly changes: readonly BlockChange[]
  readonly formerPlaces: ReadonlyMap<string, FormerPlace>
  readonly positions: ReadonlyMap<string, number>
}

function gone(doc: Node, { changes, formerPlaces, positions }: Gone): readonly ChangePlace[] {
  const places = new Map<string, ChangePlace>()
  for (const { block_id: id, kind, actor_ids } of changes) {
    const where = kind === 'deleted' ? formerPlaces.get(id) : undefined
    const start = where === undefined ? undefined : positions.get(where.near)
    if (where === undefined || start === undefined) continue
    const { near, edge } = where
    const pos = edge === 'after' ? start + (doc.nodeAt(start)?.nodeSize ?? 0) : start
    const known = places.get(`${near} ${edge}`)
    const actors = [...new Set([...(known?.actor_ids ?? []), ...actor_ids])]
    const ids = [...(known?.ids ?? []), id]
    places.set(`${near} ${edge}`, { ids, kind, actor_ids: actors, blocks: [near], edge, pos })
  }
  return [...places.values()]
}
