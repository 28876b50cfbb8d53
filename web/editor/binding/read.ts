/**
 * Yjs as ProseMirror: the pure reader. It never writes to the Y.Doc, as y-prosemirror's does where
 * a merge left what the schema does not allow: such content is wrapped for the eye until the
 * service's repair arrives. Nodes are remembered in the mapping, which is y-prosemirror's, so that
 * its position arithmetic works on it.
 */
import { Fragment, Mark, type Node, type NodeType } from 'prosemirror-model'
import * as Y from 'yjs'
import { documentSchema } from '../../../schema/document-schema.ts'

/** The node of an element, the text nodes of a text. */
export type NodeMapping = WeakMap<object, Node | readonly Node[]>

/**
 * The whole document; an empty fragment is an empty paragraph that stands nowhere yet. What is in
 * the mapping is not read again. What reads as it did `before` stays the same object.
 */
export function readDocument(
  fragment: Y.XmlFragment,
  mapping: NodeMapping,
  before: NodeMapping = mapping,
): Node {
  const type = documentSchema.topNodeType
  const known = { mapping, before, marks: new Map() }
  const content = readChildren(fragment, known)
  return remember(fragment, { content, read: type.create(null, fitted(type, content)) }, known)
}

interface Known {
  readonly mapping: NodeMapping
  /** Of one reading those that say the same are one: there are as many as stretches of text. */
  readonly marks: Map<string, Mark>
  /** What was in the mapping for what has changed since. */
  readonly before: NodeMapping
}

interface Reading {
  readonly read: Node
  /** The nodes of its children in Yjs. */
  readonly content: readonly Node[]
}

function remember(type: Y.XmlFragment, reading: Reading, { mapping, before }: Known): Node {
  const was = before.get(type)
  const node = was !== undefined && 'type' in was && isAs(was, reading) ? was : reading.read
  mapping.set(type, node)
  return node
}

/**
 * Whether it reads as it `was`, with the same nodes in it: an element that took the place of an
 * equal one, as an undone deletion has it, has a node of its own.
 */
function isAs(was: Node, { read, content }: Reading): boolean {
  if (!was.eq(read)) return false
  const own = new Set(content.filter(({ isText }) => !isText))
  return was.children.every((child, at) => child === read.child(at) || !own.has(read.child(at)))
}

function readChildren(parent: Y.XmlFragment, known: Known): Node[] {
  const content: Node[] = []
  for (const child of parent.toArray()) {
    if (child instanceof Y.XmlText) content.push(...readText(child, known))
    else if (child instanceof Y.XmlElement) {
      const node = readElement(child, known)
      if (node !== undefined) content.push(node)
    }
  }
  return content
}

function readElement(element: Y.XmlElement, known: Known): Node | undefined {
  const node = known.mapping.get(element)
  if (node !== undefined && 'type' in node) return node
  const type = documentSchema.nodes[element.nodeName]
  if (type === undefined) return undefined
  const content = readChildren(element, known)
  const read = type.create(attributesOf(element, type), fitted(type, content))
  return remember(element, { content, read }, known)
}

function attributesOf(element: Y.XmlElement, type: NodeType): Record<string, unknown> {
  const given: Record<string, unknown> = element.getAttributes()
  const attributes: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(type.spec.attrs ?? {})) {
    const value = given[name]
    if (value !== undefined) attributes[name] = value
    else if (!('default' in spec)) attributes[name] = ''
  }
  return attributes
}

interface Delta {
  readonly insert: unknown
  readonly attributes?: Readonly<Record<string, unknown>>
}

function readText(text: Y.XmlText, { mapping, marks }: Known): readonly Node[] {
  const nodes: Node[] = []
  for (const { insert, attributes } of text.toDelta() as Delta[]) {
    if (typeof insert !== 'string' || insert === '') continue
    nodes.push(documentSchema.text(insert, marksOf(attributes, marks)))
  }
  mapping.set(text, nodes)
  return nodes
}

function marksOf(
  attributes: Readonly<Record<string, unknown>> = {},
  known: Map<string, Mark>,
): readonly Mark[] {
  const marks: Mark[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const given = typeof value === 'object' && value !== null ? value : {}
    const key = `${name} ${JSON.stringify(given)}`
    const mark = known.get(key) ?? markOf(name, given)
    if (mark === undefined) continue
    known.set(key, mark)
    marks.push(mark)
  }
  return marks.length === 0 ? Mark.none : Mark.setFrom(marks)
}

function markOf(name: string, given: object): Mark | undefined {
  const type = documentSchema.marks[name]
  const needs = Object.entries(type?.spec.attrs ?? {})
  const lacks = needs.some(([key, spec]) => !('default' in spec) && !(key in given))
  return lacks ? undefined : type?.create({ ...given })
}

/** `content` as far as `type` can hold it, wrapped where that helps, filled where it lacks. */
function fitted(type: NodeType, content: readonly Node[]): Fragment {
  const whole = Fragment.fromArray([...content])
  if (type.validContent(whole)) return whole
  let match = type.contentMatch
  const fit: Node[] = []
  for (const child of content) {
    const node = type.inlineContent ? child.mark(type.allowedMarks(child.marks)) : child
    const wrapping = match.findWrapping(node.type)
    const wrapped = wrapping?.reduceRight((inner, outer) => outer.create(null, inner), node)
    const after = wrapped === undefined ? null : match.matchType(wrapped.type)
    if (wrapped === undefined || after === null) continue
    fit.push(wrapped)
    match = after
  }
  return Fragment.fromArray(fit).append(match.fillBefore(Fragment.empty, true) ?? Fragment.empty)
}
