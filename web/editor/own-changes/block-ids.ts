/**
 * Ids for the blocks one makes oneself: what has none gets one, and where one's change doubled an
 * id the block at the old position keeps it, unless that one is empty and the other is not (Enter
 * at the start of a paragraph moves the paragraph down, not its name). Others' changes are never
 * answered: the service has the last word on ids.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import { type Mapping, StepMap } from 'prosemirror-transform'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import { isBlockId } from '../../../schema/ids.ts'
import { Rewriting } from '../binding/rewrite.ts'
import { newId } from '../model/new-id.ts'
import { insertsNode, localChanges, mappingThrough } from './local-changes.ts'

const isIdentified = (node: Node): boolean => identifiedTypes.has(node.type.name)

interface Holder {
  readonly pos: number
  readonly node: Node
}

export function blockIds(): Plugin {
  return new Plugin({
    appendTransaction(trs, before, state) {
      const local = localChanges(trs)
      if (local.length === 0 || !insertsNode(local, isIdentified)) return null
      const tr = withIds(state, before.doc, mappingThrough(trs))
      return tr.docChanged ? tr : null
    },
  })
}

function withIds({ doc, tr }: EditorState, before: Node, mapping: Mapping): Transaction {
  const holders = new Map<string, Holder[]>()
  const without: number[] = []
  eachBlock(doc, (pos, node) => {
    const id: unknown = node.attrs['id']
    if (!isBlockId(id)) without.push(pos)
    else if (holders.has(id)) holders.get(id)?.push({ pos, node })
    else holders.set(id, [{ pos, node }])
  })
  const doubled = [...holders].filter(([, claims]) => claims.length > 1)
  if (doubled.length > 0) {
    const positions = positionsOf(before, new Set(doubled.map(([id]) => id)))
    for (const [id, claims] of doubled) {
      const position = positions.get(id)
      const keeper = keeperOf(claims, position === undefined ? undefined : mapping.map(position))
      without.push(...claims.filter((claim) => claim !== keeper).map(({ pos }) => pos))
    }
  }
  if (without.length === 0) return tr
  // One step: a step for each of a long paste's blocks would make as many documents.
  const named = withNewIds(doc, 0, new Set(without))
  return tr.step(new Rewriting(doc, named, StepMap.empty))
}

/** A node whose content begins at `start`, with an id for each block that stands at a place. */
function withNewIds(node: Node, start: number, places: ReadonlySet<number>): Node {
  if (node.isTextblock || node.isLeaf) return node
  const children: Node[] = []
  node.forEach((child, offset) => {
    const pos = start + offset
    const inside = withNewIds(child, pos + 1, places)
    const attrs = places.has(pos) ? { ...child.attrs, id: newId() } : child.attrs
    children.push(
      attrs === child.attrs ? inside : child.type.create(attrs, inside.content, child.marks),
    )
  })
  const isSame = children.every((child, index) => child === node.child(index))
  return isSame ? node : node.copy(Fragment.fromArray(children))
}

function keeperOf(claims: readonly Holder[], position: number | undefined): Holder | undefined {
  const atOld = claims.find(({ pos }) => pos === position) ?? claims[0]
  if (atOld === undefined || !isEmpty(atOld.node)) return atOld
  return claims.find(({ node }) => !isEmpty(node)) ?? atOld
}

const isEmpty = (node: Node): boolean => !node.isAtom && node.textContent === ''

/** Every block that carries an id, in document order. */
function eachBlock(doc: Node, visit: (pos: number, node: Node) => void): void {
  doc.descendants((node, pos) => {
    if (isIdentified(node)) visit(pos, node)
    return !node.isTextblock
  })
}

function positionsOf(doc: Node, ids: ReadonlySet<string>): Map<string, number> {
  const positions = new Map<string, number>()
  eachBlock(doc, (pos, node) => {
    const id = node.attrs['id'] as string
    if (ids.has(id)) positions.set(id, pos)
  })
  return positions
}
