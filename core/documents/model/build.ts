/**
 * New Y types from ProseMirror nodes, in the shapes y-prosemirror writes: every attribute that is
 * not null, neighbouring text nodes as one text, marks as formats. All text is credited to an
 * author. The types made here are not part of a document yet; the caller inserts them.
 */
import { Mark, type Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { documentSchema, identifiedTypes } from '../../../schema/document-schema.ts'
import { type ActorId, type BlockId, isBlockId } from '../../../schema/ids.ts'
import type { Child } from '../../../schema/yjs/children.ts'
import { formatsOf } from './marks.ts'

export interface BuildOptions {
  newId(): BlockId
  /** Who is credited with the text. */
  readonly author: ActorId
  /** Keep the well-formed ids of the nodes; without it every block gets a new one. */
  readonly keepIds?: boolean
  /** Keep `authored` marks where the text has them; without it all text is `author`'s. */
  readonly keepAuthors?: boolean
}

/** Yjs spreads children of a new type over the stack, which holds no hundred thousand of them. */
const insertedAtOnce = 10_000

export function buildElement(node: Node, options: BuildOptions): Y.XmlElement {
  const element = buildShell(node, options)
  const content = buildContent(node, options)
  for (let at = 0; at < content.length; at += insertedAtOnce) {
    element.insert(at, content.slice(at, at + insertedAtOnce))
  }
  return element
}

/** The element with its attributes, and nothing in it. */
export function buildShell(node: Node, options: BuildOptions): Y.XmlElement {
  const element = new Y.XmlElement(node.type.name)
  for (const [name, value] of Object.entries(node.attrs)) {
    if (name !== 'id') setAttribute(element, name, value)
  }
  if (identifiedTypes.has(node.type.name)) {
    const id: unknown = node.attrs['id']
    setAttribute(element, 'id', options.keepIds && isBlockId(id) ? id : options.newId())
  }
  return element
}

/** The types of everything in `node`, for insertion into an element. */
export function buildContent(node: Node, options: BuildOptions): Child[] {
  const children: Child[] = []
  let run: Node[] = []
  const flush = () => {
    if (run.length > 0) children.push(buildText(run, options))
    run = []
  }
  node.forEach((child) => {
    if (child.isText) {
      run.push(child)
      return
    }
    flush()
    children.push(buildElement(child, options))
  })
  flush()
  return children
}

/** One text from text nodes that stand next to each other. */
export function buildText(nodes: readonly Node[], options: BuildOptions): Y.XmlText {
  const runs: { insert: string; marks: readonly Mark[] }[] = []
  for (const { text: insert = '', marks } of nodes) {
    const credited = creditedMarks(marks, options)
    const last = runs.at(-1)
    if (last !== undefined && Mark.sameSet(last.marks, credited)) last.insert += insert
    else runs.push({ insert, marks: credited })
  }
  const text = new Y.XmlText()
  text.applyDelta(runs.map(({ insert, marks }) => ({ insert, attributes: formatsOf(marks) })))
  return text
}

/** The marks of a text with its author's. */
export function creditedMarks(
  marks: readonly Mark[],
  { author, keepAuthors }: BuildOptions,
): readonly Mark[] {
  const { authored } = documentSchema.marks
  const credited = keepAuthors === true && authored.isInSet(marks) !== undefined
  return credited ? marks : authored.create({ by: author }).addToSet(marks)
}

/** Attributes hold any primitive, which the types of Yjs do not say; null is absence. */
export function setAttribute(element: Y.XmlElement, name: string, value: unknown): void {
  if (value === null || value === undefined) {
    if (element.doc === null || element.hasAttribute(name)) element.removeAttribute(name)
  } else element.setAttribute(name, value as string)
}
