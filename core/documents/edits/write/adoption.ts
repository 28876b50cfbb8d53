/**
 * Blocks that Yjs makes us write again although their text stays. An added block takes over the id
 * of the removed one that it was, the authors of the kept characters and their credit. Reads Yjs,
 * writes nothing.
 */
import { Fragment, type Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { AddedBlock, RemovedBlock } from '../../../../schema/diff/blocks.ts'
import type { Correspondence } from '../../../../schema/diff/correspondence.ts'
import { type InlineRow, inlineRow, keptBetween } from '../../../../schema/diff/inline-row.ts'
import { identifiedTypes } from '../../../../schema/document-schema.ts'
import { type ActorId, unattributed } from '../../../../schema/ids.ts'
import { childrenOf } from '../../../../schema/yjs/children.ts'
import type { StructRange } from '../../../../schema/yjs/struct-id.ts'
import { type InlineChild, inlineChildren, structOfType, structsOfUnits } from './y-text.ts'

/** The element children of a container in Yjs, in order. */
export function blockChildren(element: Y.XmlElement): Y.XmlElement[] {
  return childrenOf(element).filter((child) => child instanceof Y.XmlElement)
}

/** An added block as it is to be written, and whose structs its structs stand for. */
export interface Adoption {
  readonly node: Node
  readonly children: readonly Adoption[]
  readonly wrapper: readonly StructRange[]
  readonly kept: readonly KeptStructs[]
}

interface KeptStructs {
  readonly from: number
  readonly to: number
  readonly structs: readonly StructRange[]
}

/** What is known of the change that a block comes with. */
interface AdoptionSource {
  readonly regions: Correspondence['regions']
  elementOf(block: RemovedBlock): Y.XmlElement
}

/**
 * The node with its source's id and the authors of kept text as marks; the rest has no author yet.
 */
export function adopt(block: AddedBlock, change: AdoptionSource): Adoption {
  const { node, source } = block
  const children = block.children.map((child) => adopt(child, change))
  const element = source && change.elementOf(source)
  const id: unknown = element?.getAttribute('id')
  const wrapper = element ? structOfType(element) : []
  if (!node.inlineContent) {
    const content = Fragment.fromArray(children.map((child) => child.node))
    return { node: withId(node, id, content), children, wrapper, kept: [] }
  }
  const next = inlineRow(node)
  const regions = change.regions.get(block)
  if (!source || !element || !regions) {
    const content = withAuthors(node, next, [])
    return { node: withId(node, id, content), children, wrapper, kept: [] }
  }
  if (!source.node.inlineContent) throw new TypeError('text is taken over from text')
  const own = inlineChildren(element)
  const kept = keptBetween(inlineRow(source.node), regions)
  const authors = authorsOf(own)
  const authored = kept.flatMap(({ from, to, nextFrom }) =>
    within(authors, from, to).map((run) => shift(run, nextFrom - from)),
  )
  return {
    node: withId(node, id, withAuthors(node, next, authored)),
    children,
    wrapper,
    kept: kept.map(({ from, to, nextFrom }) => ({
      from: nextFrom,
      to: nextFrom + to - from,
      structs: structsOfUnits(own, from, to),
    })),
  }
}

/**
 * Ids come from sources only: a planned node may still carry that of a block that stays elsewhere.
 */
function withId(node: Node, id: unknown, content: Fragment): Node {
  if (!identifiedTypes.has(node.type.name)) return node.copy(content)
  return node.type.create({ ...node.attrs, id: typeof id === 'string' ? id : null }, content)
}

interface AuthorUnits {
  readonly from: number
  readonly to: number
  readonly by: ActorId
}

function authorsOf(children: readonly InlineChild[]): AuthorUnits[] {
  const runs: AuthorUnits[] = []
  for (const child of children) {
    if (!(child.type instanceof Y.XmlText)) continue
    let at = child.from
    for (const { insert, attributes } of child.type.toDelta()) {
      const by: ActorId = attributes?.authored?.by ?? unattributed
      runs.push({ from: at, to: at + insert.length, by })
      at += insert.length
    }
  }
  return runs
}

function within(runs: readonly AuthorUnits[], from: number, to: number): AuthorUnits[] {
  return runs
    .filter((run) => run.to > from && run.from < to)
    .map((run) => ({ ...run, from: Math.max(from, run.from), to: Math.min(to, run.to) }))
}

const shift = (run: AuthorUnits, by: number): AuthorUnits => ({
  ...run,
  from: run.from + by,
  to: run.to + by,
})

function withAuthors(node: Node, row: InlineRow, authors: readonly AuthorUnits[]): Fragment {
  const schema = node.type.schema
  const authoredType = schema.marks['authored']
  if (authoredType === undefined) throw new TypeError('the schema has no mark for authors')
  const content: Node[] = []
  let i = 0
  for (const run of row.runs) {
    if (run.leaf) {
      content.push(run.leaf)
      continue
    }
    for (let at = run.from; at < run.to; ) {
      while ((authors[i]?.to ?? Number.POSITIVE_INFINITY) <= at) i++
      const author = authors[i]
      const covered = author !== undefined && author.from <= at
      const to = Math.min(run.to, (covered ? author.to : author?.from) ?? run.to)
      const text = row.chars.slice(at, to)
      const marks = covered ? authoredType.create({ by: author.by }).addToSet(run.marks) : run.marks
      content.push(schema.text(text, marks))
      at = to
    }
  }
  return Fragment.fromArray(content)
}
