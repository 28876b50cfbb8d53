/**
 * Durable block ids: after each write every block has one, well-formed and unique. On a duplicate
 * the previous holder that still claims the id keeps it, else the first claimant with content in
 * document order; what is missing, malformed or somebody else's is issued anew. The index from id
 * to element follows the transactions; only touched elements are looked at. Knows no revisions and
 * keeps no tombstones: it reports which ids went and came.
 */
import * as Y from 'yjs'
import { documentSchema, identifiedTypes } from '../../../schema/document-schema.ts'
import { type BlockId, isBlockId, newBlockId } from '../../../schema/ids.ts'
import type { Runtime } from '../../../schema/runtime.ts'
import { childrenOf } from '../../../schema/yjs/children.ts'
import { typeIn } from '../../../schema/yjs/items.ts'
import type { GoneBlock } from '../../commit/participant.ts'
import { touchedTypes } from '../../yjs/touched.ts'
import { eachDeleted } from '../../yjs/transactions.ts'
import { DocumentOrder } from './document-order.ts'
import { goneBlocks } from './gone-blocks.ts'
import type { Mirror } from './mirror.ts'
import { isBlank } from './shape.ts'

export interface BlockIdChanges {
  readonly deleted: readonly GoneBlock[]
  /**
   * Ids that arrived with a write: new ones and ones that came back. Whoever has tombstones drops
   * theirs.
   */
  readonly revived: readonly BlockId[]
}

export class BlockIds {
  readonly #mirror: Mirror
  readonly #runtime: Runtime
  #elements = new Map<BlockId, Y.XmlElement>()
  #ids = new WeakMap<Y.XmlElement, BlockId>()
  #cells = new Set<Y.XmlElement>()
  #deleted: GoneBlock[] = []
  #revived: BlockId[] = []

  constructor(mirror: Mirror, runtime: Runtime) {
    this.#mirror = mirror
    this.#runtime = runtime
  }

  /** How many blocks have one. */
  get count(): number {
    return this.#elements.size
  }

  /** The element that holds an id now; undefined when none does. */
  elementOf(id: BlockId): Y.XmlElement | undefined {
    return this.#elements.get(id)
  }

  idOf(element: Y.XmlElement): BlockId | undefined {
    return this.#ids.get(element)
  }

  /** Takes over the ids of a loaded document, in which they are right already. */
  load(): void {
    this.#elements = new Map()
    this.#ids = new WeakMap()
    this.#cells = new Set()
    this.#visitAll(this.#mirror.children)
  }

  #visitAll(children: Iterable<unknown>): void {
    for (const child of children) {
      if (!(child instanceof Y.XmlElement)) continue
      const id = claimOf(child)
      if (id !== undefined && !this.#elements.has(id)) this.#hold(child, id)
      if (isCell(child)) this.#cells.add(child)
      if (!holdsText(child)) this.#visitAll(childrenOf(child))
    }
  }

  /**
   * Settles the ids of what the running transaction touched, after repair and before the mirror is
   * refreshed. Writes nothing where all is right.
   */
  assign(transaction: Y.Transaction): void {
    const lost = this.#forgetDeleted(transaction)
    const touched = [...touchedTypes(transaction).elements]
    for (const element of touched) if (isCell(element)) this.#cells.add(element)
    const elements = touched.filter(isIdentified)
    if (elements.length === 0 && lost.size === 0) return
    const claims = new Map<BlockId, Y.XmlElement[]>()
    const without: Y.XmlElement[] = []
    for (const element of elements) {
      const claim = claimOf(element)
      const others = claim && claims.get(claim)
      if (claim === undefined) without.push(element)
      else if (others !== undefined) others.push(element)
      else claims.set(claim, [element])
    }
    for (const element of elements) {
      const held = this.#ids.get(element)
      if (held !== undefined && claimOf(element) !== held) {
        this.#release(element, held)
        lost.set(held, element)
      }
    }
    for (const loser of this.#settle(claims, lost)) without.push(loser)
    for (const element of without) {
      const id = newBlockId(this.#runtime)
      element.setAttribute('id', id)
      this.#hold(element, id)
    }
    const gone = [...lost].filter(([id]) => !this.#elements.has(id))
    const survives = (id: BlockId) => this.#elements.has(id)
    this.#deleted.push(...goneBlocks(gone, { mirror: this.#mirror, survives }))
  }

  /** How many block nodes the document has, those without an id (cells) too. Constant time. */
  get blockCount(): number {
    return this.#elements.size + this.#cells.size
  }

  /** What changed since the last call. */
  takeChanges(): BlockIdChanges {
    const changes = { deleted: this.#deleted, revived: this.#revived }
    this.#deleted = []
    this.#revived = []
    return changes
  }

  /** The ids of elements that this transaction deleted, with those elements. */
  #forgetDeleted(transaction: Y.Transaction): Map<BlockId, Y.XmlElement> {
    const lost = new Map<BlockId, Y.XmlElement>()
    eachDeleted(transaction, (item) => {
      const element = typeIn(item)
      if (!(element instanceof Y.XmlElement)) return
      this.#cells.delete(element)
      const id = this.#ids.get(element)
      if (id === undefined) return
      this.#release(element, id)
      lost.set(id, element)
    })
    return lost
  }

  /** Gives each claimed id to one claimant; answers with the others. */
  #settle(
    claims: ReadonlyMap<BlockId, readonly Y.XmlElement[]>,
    lost: ReadonlyMap<BlockId, Y.XmlElement>,
  ): Y.XmlElement[] {
    const order = new DocumentOrder(this.#mirror.fragment)
    const losers: Y.XmlElement[] = []
    for (const [id, claimants] of claims) {
      const holder = this.#elements.get(id)
      const winner = holder ?? preferred(claimants, order)
      losers.push(...claimants.filter((element) => element !== winner))
      if (holder !== undefined || winner === undefined) continue
      this.#hold(winner, id)
      if (!lost.has(id)) this.#revived.push(id)
    }
    return losers
  }

  #hold(element: Y.XmlElement, id: BlockId): void {
    this.#elements.set(id, element)
    this.#ids.set(element, id)
  }

  #release(element: Y.XmlElement, id: BlockId): void {
    this.#ids.delete(element)
    if (this.#elements.get(id) === element) this.#elements.delete(id)
  }
}

const isCell = ({ nodeName }: Y.XmlElement): boolean =>
  nodeName === 'table_cell' || nodeName === 'table_header'

const holdsText = ({ nodeName }: Y.XmlElement): boolean =>
  documentSchema.nodes[nodeName]?.inlineContent === true

const isIdentified = (element: Y.XmlElement): boolean => identifiedTypes.has(element.nodeName)

function claimOf(element: Y.XmlElement): BlockId | undefined {
  const id: unknown = element.getAttribute('id')
  return isBlockId(id) ? id : undefined
}

/** The first claimant with content in document order, else the first. */
function preferred(
  claimants: readonly Y.XmlElement[],
  order: DocumentOrder,
): Y.XmlElement | undefined {
  if (claimants.length === 1) return claimants[0]
  const sorted = [...claimants].sort((a, b) => order.compare(a, b))
  return sorted.find((element) => !isBlank(element)) ?? sorted[0]
}
