/**
 * Material for the tests of edits: a Y.Doc that holds given nodes, random nodes, and a reader of
 * its own (nodes, ids and authors), so that the writers are not judged by themselves.
 */

import fc from 'fast-check'
import { Fragment, type Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { ApplyHost } from '../../../../../core/documents/edits/write/blocks.ts'
import { applyBlocks } from '../../../../../core/documents/edits/write/blocks.ts'
import { buildElement } from '../../../../../core/documents/model/build.ts'
import { correspondenceOf } from '../../../../../schema/diff/correspondence.ts'
import { documentSchema, fragmentName } from '../../../../../schema/document-schema.ts'
import type { ActorId, BlockId } from '../../../../../schema/ids.ts'

export const alice = 'human:alice' as ActorId
export const bot = 'ai:bot' as ActorId

const { nodes: types } = documentSchema

/** A node from its type name, attributes and content; strings become text. */
export function make(
  name: string,
  attrs: Record<string, unknown> | null,
  ...content: (Node | string)[]
): Node {
  const type = types[name]
  if (type === undefined) throw new TypeError(name)
  const children = content.map((child) =>
    typeof child === 'string' ? documentSchema.text(child) : child,
  )
  return type.create(attrs, Fragment.fromArray(children))
}

export const p = (...content: (Node | string)[]): Node => make('paragraph', null, ...content)
export const h = (level: number, ...content: (Node | string)[]): Node =>
  make('heading', { level }, ...content)
export const li = (...content: Node[]): Node => make('list_item', null, ...content)
export const ul = (...content: Node[]): Node => make('bullet_list', null, ...content)
export const ol = (...content: Node[]): Node => make('ordered_list', null, ...content)
export const quote = (...content: Node[]): Node => make('blockquote', null, ...content)
export const row = (...cells: string[]): Node =>
  make('table_row', null, ...cells.map((text) => make('table_cell', null, ...(text ? [text] : []))))
export const table = (...rows: Node[]): Node => make('table', null, ...rows)
export const br = (): Node => make('hard_break', null)
export const marked = (text: string, ...names: string[]): Node =>
  documentSchema.text(
    text,
    names.map((name) => documentSchema.mark(name, name === 'link' ? { href: 'u' } : null)),
  )

/**
 * A document in Yjs with a writer: counts what is cloned and keeps the list of children in step.
 */
export class Workbench {
  readonly doc = new Y.Doc()
  readonly fragment = this.doc.getXmlFragment(fragmentName)
  children: Y.XmlElement[] = []
  readonly clones: { old: number[]; now: number[]; length: number }[] = []
  #ids = 0

  constructor(nodes: readonly Node[], author: ActorId = alice) {
    this.doc.clientID = 1000
    const newId = () => this.newId()
    this.fragment.insert(
      0,
      nodes.map((node) => buildElement(node, { newId, author, keepIds: true, keepAuthors: true })),
    )
    this.children = this.fragment.toArray() as Y.XmlElement[]
  }

  newId(): BlockId {
    return `bid_${String(this.#ids++).padStart(16, '0')}` as BlockId
  }

  get nodes(): Node[] {
    return this.fragment.toArray().map((child) => readElement(child as Y.XmlElement))
  }

  ids(): unknown[] {
    return this.children.map((child) => child.getAttribute('id'))
  }

  /** Applies one change as `actor` and gives the count of structs it wrote. */
  apply(
    from: number,
    count: number,
    newNodes: readonly Node[],
    actor: ActorId = bot,
    oldNodes: readonly Node[] = this.nodes.slice(from, from + count),
  ): number {
    const client = actor === alice ? 1000 : 7
    const before = Y.getState(this.doc.store, client)
    let structs = 0
    this.doc.transact(() => {
      this.doc.clientID = client
      const host: ApplyHost = {
        fragment: this.fragment,
        children: this.children,
        actor,
        newId: () => this.newId(),
        cloned: (old, now, length) =>
          this.clones.push({ old: [old.client, old.clock], now: [now.client, now.clock], length }),
      }
      const replaced = { from, old: oldNodes, next: newNodes }
      applyBlocks(host, correspondenceOf([replaced]))
      for (const struct of this.doc.store.clients.get(client) ?? []) {
        if (struct.id.clock >= before) structs++
      }
    })
    return structs
  }
}

/** Reads one element, with ids and authors, by Yjs's public interface only. */
export function readElement(element: Y.XmlElement): Node {
  const attrs: Record<string, unknown> = element.getAttributes()
  const content: Node[] = []
  for (const child of element.toArray()) {
    if (child instanceof Y.XmlElement) content.push(readElement(child))
    if (!(child instanceof Y.XmlText)) continue
    for (const { insert, attributes } of child.toDelta()) {
      const marks = Object.entries(attributes ?? {}).map(([name, value]) =>
        documentSchema.mark(name, value as Record<string, unknown>),
      )
      content.push(documentSchema.text(insert, marks))
    }
  }
  const node = types[element.nodeName]?.create(attrs, Fragment.fromArray(content))
  if (node === undefined) throw new TypeError(element.nodeName)
  node.check()
  return node
}

/** The node without ids and authors. */
export function bare(node: Node): Node {
  if (node.isText) {
    return node.mark(node.marks.filter((mark) => mark.type.name !== 'authored'))
  }
  const attrs = 'id' in node.attrs ? { ...node.attrs, id: null } : node.attrs
  return node.type.create(attrs, Fragment.fromArray(node.children.map(bare)))
}

/** `text` as runs of `author:characters`. */
export function authorsOf(node: Node): string {
  const runs: [string, string][] = []
  node.descendants((child) => {
    if (!child.isText) return
    const by = String(child.marks.find((mark) => mark.type.name === 'authored')?.attrs['by'])
    const last = runs.at(-1)
    if (last?.[0] === by) last[1] += child.text ?? ''
    else runs.push([by, child.text ?? ''])
  })
  return runs.map(([by, text]) => `${by.replace(/^\w+:/, '')}[${text}]`).join('')
}

const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'delta',
  'the',
  'of',
  'x',
  '😀',
  'é',
  'naïve',
)
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
const textNode = fc
  .tuple(text, fc.subarray(['strong', 'em', 'link', 'strike']))
  .map(([value, names]) => marked(value, ...names))
const leaf = fc.constantFrom(
  br(),
  make('image', { src: 'a' }),
  make('image', { src: 'b', alt: 'x' }),
  make('html_inline', { source: '<b>' }),
)
const inline = fc.array(
  fc.oneof({ arbitrary: textNode, weight: 4 }, { arbitrary: leaf, weight: 1 }),
  {
    maxLength: 4,
  },
)

const textblock = fc.oneof(
  { arbitrary: inline.map((content) => p(...content)), weight: 5 },
  {
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), inline)
      .map(([n, content]) => h(n, ...content)),
    weight: 2,
  },
  text.map((value) => make('code_block', null, value)),
  fc.constant(make('horizontal_rule', null)),
)

const items = (block: fc.Arbitrary<Node>): fc.Arbitrary<Node[]> =>
  fc.array(
    fc.array(block, { minLength: 1, maxLength: 2 }).map((content) => li(...content)),
    { minLength: 1, maxLength: 4 },
  )

export const { block: anyBlock } = fc.letrec<{ block: Node }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { arbitrary: textblock, weight: 6 },
    { arbitrary: items(tie('block')).map((content) => ul(...content)), weight: 2 },
    { arbitrary: items(tie('block')).map((content) => ol(...content)), weight: 1 },
    {
      arbitrary: fc
        .array(tie('block'), { minLength: 1, maxLength: 3 })
        .map((content) => quote(...content)),
      weight: 1,
    },
    {
      arbitrary: fc
        .array(fc.tuple(text, text), { minLength: 1, maxLength: 3 })
        .map((rows) => table(...rows.map((cells) => row(...cells)))),
      weight: 1,
    },
  ),
}))

export const anyBlocks = fc.array(anyBlock, { minLength: 1, maxLength: 7 })

export const shown = (nodes: readonly Node[]): string =>
  nodes.map((node) => bare(node).toString()).join()

/** Applies and checks what always holds; gives what one case wants to look at. */
export function change(
  old: readonly Node[],
  next: readonly Node[],
): { bench: Workbench; structs: number; authors: string; ids: unknown[]; were: unknown[] } {
  const bench = new Workbench(old)
  const were = bench.ids()
  const structs = bench.apply(0, old.length, next)
  assert.is(shown(bench.nodes), shown(next))
  assert.equal(bench.children, bench.fragment.toArray())
  const every: unknown[] = []
  for (const node of bench.nodes) {
    if (node.attrs['id']) every.push(node.attrs['id'])
    node.descendants((child) => {
      if (child.attrs['id']) every.push(child.attrs['id'])
    })
  }
  assert.is(new Set(every).size, every.length, 'ids are unique')
  const authors = bench.nodes.map(authorsOf).join('|')
  return { bench, structs, authors, ids: bench.ids(), were }
}
