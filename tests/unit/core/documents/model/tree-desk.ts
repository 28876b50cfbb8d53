/**
 * What the tests of the Yjs side of a document share: a terse way to write Y trees, and a desk that
 * commits writes as an open document does and checks every law of the tree after each of them.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import { updateYFragment, yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import * as Y from 'yjs'
import { BlockIds } from '../../../../../core/documents/model/block-ids.ts'
import { Mirror } from '../../../../../core/documents/model/mirror.ts'
import { outdated } from '../../../../../core/documents/model/outdated.ts'
import { type Cloned, repairStructure } from '../../../../../core/documents/model/repair.ts'
import { textRuns } from '../../../../../core/yjs/text-runs.ts'
import { touchedTypes } from '../../../../../core/yjs/touched.ts'
import {
  documentSchema,
  fragmentName,
  identifiedTypes,
} from '../../../../../schema/document-schema.ts'
import { type ActorId, isBlockId } from '../../../../../schema/ids.ts'
import { repairBlock } from '../../../../../schema/markdown/repair.ts'
import type { Runtime } from '../../../../../schema/runtime.ts'
import { type Child, childrenOf } from '../../../../../schema/yjs/children.ts'
import { Chance } from '../../../../chance.ts'

type Attributes = Readonly<Record<string, unknown>>

/** A new element: `y('paragraph', { id }, 'text', y('hard_break'))`; strings become texts. */
export function y(
  name: string,
  attributes: Attributes = {},
  ...children: readonly (Child | string)[]
): Y.XmlElement {
  const element = new Y.XmlElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value as string)
  element.insert(
    0,
    children.map((child) => (typeof child === 'string' ? t(child) : child)),
  )
  return element
}

/** A new text with one set of formats. */
export function t(text: string, formats: Attributes = {}): Y.XmlText {
  const type = new Y.XmlText()
  if (text !== '') type.applyDelta([{ insert: text, attributes: { ...formats } }])
  return type
}

export const bid = (name: string | number) => `bid_${String(name).padStart(16, '0')}`

/** A runtime in which no time goes by. */
export function testRuntime(seed = 1): Runtime {
  const chance = new Chance(seed)
  return {
    now: () => 0,
    elapsed: () => 0,
    after: () => ({ cancel: () => undefined }),
    inTurn: (callback) => void setImmediate(callback),
    randomBytes: (count) => chance.bytes(count),
  }
}

/** `name(child child)` and texts in quotes: the shape of a node without ids. */
export function shape(node: Node): string {
  if (node.isText) {
    const marks = node.marks.map((mark) => mark.type.name).join('+')
    return JSON.stringify(node.text) + (marks === '' ? '' : `:${marks}`)
  }
  const inner = node.children.map(shape).join(' ')
  return inner === '' ? node.type.name : `${node.type.name}(${inner})`
}

export interface Clone {
  readonly from: string
  readonly to: string
}

/** The server's side of one document. */
export class Desk {
  readonly ydoc = new Y.Doc()
  readonly fragment = this.ydoc.getXmlFragment(fragmentName)
  readonly mirror = new Mirror(this.fragment, (client, clock) => `${client}:${clock}` as ActorId)
  readonly ids: BlockIds
  readonly updates: Uint8Array[] = []
  /** Every cloned struct of the last commit, one by one. */
  clones: Clone[] = []
  /** Every struct the service ever wrote for somebody. */
  readonly #credited = new Set<string>()
  #transactions: Y.Transaction[] = []

  constructor(seed = 1) {
    this.ids = new BlockIds(this.mirror, testRuntime(seed))
    this.ydoc.on('afterTransaction', (transaction: Y.Transaction) => {
      this.#transactions.push(transaction)
    })
    this.ydoc.on('update', (update: Uint8Array) => this.updates.push(update))
    this.mirror.load()
    this.ids.load()
  }

  /** One commit: the write under some client, then the service's corrections. */
  commit(write: (ydoc: Y.Doc) => void, client = 7) {
    this.#transactions = []
    this.clones = []
    const old = { nodes: this.mirror.nodes, children: this.mirror.children }
    const note: Cloned = (from, to, length) => {
      for (let at = 0; at < length; at++) {
        this.clones.push({
          from: `${from.client}:${from.clock + at}`,
          to: `${to.client}:${to.clock + at}`,
        })
      }
    }
    Y.transact(
      this.ydoc,
      (transaction) => {
        this.ydoc.clientID = client
        write(this.ydoc)
        this.ydoc.clientID = 1
        const written = charactersIn(this.fragment)
        repairStructure(transaction, this.mirror, note)
        assertKept(written, charactersIn(this.fragment))
        this.ids.assign(transaction)
        this.ydoc.clientID = 0
      },
      'write',
      false,
    )
    for (const { to } of this.clones) this.#credited.add(to)
    const { dirty } = outdated(touchedTypes(this.#transactions[0] as Y.Transaction))
    const nodes = [...old.nodes]
    for (const transaction of this.#transactions) {
      for (const { from, to, nodes: made } of this.mirror.refresh(transaction)) {
        nodes.splice(from, to - from, ...made)
      }
    }
    assert.ok(same(nodes, this.mirror.nodes), 'the changes make the new list from the old')
    old.children.forEach((child, index) => {
      if (dirty.has(child) || child._item?.deleted) return
      const kept = this.mirror.nodeOf(child) === old.nodes[index]
      assert.ok(kept, 'an untouched node is kept')
    })
    return this.ids.takeChanges()
  }

  /** Applies updates of clients as one commit. */
  receive(...updates: readonly Uint8Array[]) {
    return this.commit((ydoc) => {
      for (const update of updates) Y.applyUpdate(ydoc, update)
    })
  }

  get doc(): Node {
    return documentSchema.node('doc', null, [...this.mirror.nodes])
  }

  get shape(): string {
    return this.mirror.nodes.map(shape).join(' ')
  }

  idsInOrder(): string[] {
    const ids: string[] = []
    this.doc.descendants((node) => {
      if (identifiedTypes.has(node.type.name)) ids.push(String(node.attrs['id']))
    })
    return ids
  }

  /** All laws of the tree at once. */
  check(): void {
    const { doc } = this
    doc.check()
    for (const node of this.mirror.nodes) {
      assert.ok(repairBlock(node) === node, `markdown can say ${shape(node)}`)
    }
    const ids = this.idsInOrder()
    for (const id of ids) assert.ok(isBlockId(id), `${id} is a block id`)
    assert.is(new Set(ids).size, ids.length, 'ids are unique')
    this.#checkCredits()
    this.#checkMirror()
    this.#checkRest()
    this.#checkStockReader(doc)
  }

  /** The service writes no text of its own: each of its characters was reported as somebody's. */
  #checkCredits(): void {
    for (const text of textsIn(this.fragment)) {
      for (const { item } of textRuns(text)) {
        for (let at = 0; item.id.client === 1 && at < item.length; at++) {
          assert.ok(this.#credited.has(`1:${item.id.clock + at}`), 'a character has an author')
        }
      }
    }
  }

  #checkMirror(): void {
    const fresh = new Mirror(this.fragment, () => '' as ActorId)
    const loaded = fresh.load()
    assert.equal(
      this.mirror.nodes.map((node) => node.toJSON()),
      loaded.map((node) => node.toJSON()),
    )
    assert.ok(same(fresh.children, this.mirror.children), 'the children are in step')
    this.mirror.children.forEach((child, index) => {
      assert.is(this.mirror.indexOf(child), index)
      checkLinks(this.mirror, child)
    })
  }

  /** Repairing the whole document once more, all of it being touched, writes nothing. */
  #checkRest(): void {
    const again = new Desk(2)
    again.receive(Y.encodeStateAsUpdate(this.ydoc))
    assert.equal(Y.encodeStateVector(again.ydoc), Y.encodeStateVector(this.ydoc))
    const [mine, theirs] = [this, again].map((desk) =>
      Y.equalDeleteSets(
        Y.createDeleteSetFromStructStore(desk.ydoc.store),
        Y.createDeleteSetFromStructStore(this.ydoc.store),
      ),
    )
    assert.is(theirs, mine, 'nothing more is deleted')
  }

  /** y-prosemirror sees the same document and writes nothing while it looks. */
  #checkStockReader(doc: Node): void {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(this.ydoc))
    let updates = 0
    copy.on('update', () => updates++)
    const seen = yXmlFragmentToProseMirrorRootNode(
      copy.getXmlFragment(fragmentName),
      documentSchema,
    )
    assert.is(updates, 0, 'a stock reader writes nothing')
    assert.equal(seen.toJSON(), doc.toJSON())
    if (hasLooseTexts(copy.getXmlFragment(fragmentName))) return
    const meta = { mapping: new Map(), isOMark: new Map() }
    updateYFragment(copy, copy.getXmlFragment(fragmentName), doc, meta)
    assert.is(updates, 0, 'a stock editor sees no difference to write')
  }
}

/**
 * y-prosemirror expects one text between two elements and one run for each set of formats;
 * concurrent typing leaves others.
 */
function hasLooseTexts(parent: Y.XmlFragment): boolean {
  const children = parent.toArray()
  return children.some((child, index) => {
    if (!(child instanceof Y.XmlText)) return hasLooseTexts(child as Y.XmlElement)
    const delta: { attributes?: object }[] = child.toDelta()
    const split = delta.some(
      ({ attributes }, at) => at > 0 && isDeepStrictEqual(attributes, delta[at - 1]?.attributes),
    )
    return split || child.length === 0 || children[index + 1] instanceof Y.XmlText
  })
}

function textsIn(parent: Y.XmlFragment): Y.XmlText[] {
  return childrenOf(parent).flatMap((child) =>
    child instanceof Y.XmlText ? [child] : textsIn(child),
  )
}

/** How often each character stands in the document, apart from those that repair may replace. */
function charactersIn(fragment: Y.XmlFragment): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const char of textsIn(fragment)
    .flatMap((text) => [...textRuns(text)].map((run) => run.text))
    .join('')) {
    if (!/[\r\n\0\uFFFD]/.test(char)) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  return counts
}

function assertKept(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  for (const [char, count] of before) {
    assert.ok((after.get(char) ?? 0) >= count, `${JSON.stringify(char)} is kept`)
  }
}

function same<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

/** Every element below leads to its node and back. */
function checkLinks(mirror: Mirror, element: Y.XmlElement): void {
  const node = mirror.nodeOf(element)
  assert.ok(node)
  assert.ok(mirror.typeOf(node) === element)
  const elements = element.toArray().filter((child) => child instanceof Y.XmlElement)
  const nodes = node.children.filter((child) => !child.isText)
  assert.is(elements.length, nodes.length)
  elements.forEach((child, index) => {
    assert.ok(mirror.nodeOf(child) === nodes[index])
    checkLinks(mirror, child)
  })
}
