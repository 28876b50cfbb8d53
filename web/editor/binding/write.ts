/**
 * ProseMirror as Yjs: writes into the shared document what one's own change made of the page's,
 * and nothing else. A block that stayed keeps its element and text, whatever moved around it; text
 * is spliced where it was typed. Where the shared tree is not what the page shows (a merge that
 * the service has yet to repair, an empty document) y-prosemirror's comparison brings them together.
 */
import type { Mark, Node } from 'prosemirror-model'
import { updateYFragment } from 'y-prosemirror'
import * as Y from 'yjs'
import type { Region } from '../../../schema/diff/inline-row.ts'
import { splitAhead } from '../../../schema/yjs/split-ahead.ts'
import { idsAt } from '../../../schema/yjs/text-positions.ts'
import { deleteChild } from '../../internals/children.ts'
import { dividedAt, type InlineChange, inlineChange } from './inline.ts'
import { takeRegions } from './known-regions.ts'
import { matchChildren } from './matching.ts'
import type { NodeMapping } from './read.ts'
import { runsOf, TextRun } from './text-run.ts'

type Changes = ReturnType<typeof matchChildren>
type Child = Y.XmlElement | Y.XmlText

/** Writes the way from `old`, as which `parent` is mapped, to `next`. Runs in a transaction. */
export function write(parent: Y.XmlFragment, { old, next }: Change, mapping: NodeMapping): void {
  const isWritten = next.inlineContent
    ? writeInline(parent, { old, next }, mapping)
    : writeChildren(parent, { old, next }, mapping)
  if (!isWritten) writeByComparing(parent, next, mapping)
  mapping.set(parent, next)
}

interface Change {
  readonly old: Node
  readonly next: Node
}

function writeByComparing(parent: Y.XmlFragment, next: Node, mapping: NodeMapping): void {
  const { doc } = parent
  if (doc === null) throw new TypeError('the shared text stands in no document')
  updateYFragment(doc, parent, next, { mapping: mapping as never, isOMark: new Map() })
}

/** False, and nothing written, where the shared children are not those of `old`. */
function writeChildren(
  parent: Y.XmlFragment,
  { old, next }: Change,
  mapping: NodeMapping,
): boolean {
  if (parent.length !== old.childCount) return false
  const changes = matchChildren(old, next)
  const places = placesOf(parent, changes)
  const stands = changes.every((change, index) =>
    places[index]?.children.every(
      (child, at) => mapping.get(child) === old.child(change.from + at),
    ),
  )
  if (!stands) return false
  const spliced = splicedTexts(changes, places, { old, next })
  if (parent.doc !== null) {
    const splices = [...spliced.values()]
    splitAhead(
      parent.doc,
      splices.flatMap(({ text, change }) => idsAt(text, dividedAt(change))),
    )
  }
  for (const [index, change] of [...changes.entries()].reverse()) {
    const place = places[index]
    if (place === undefined) continue
    const [element] = place.children
    if (change.kind === 'pair') {
      const pair = { old: old.child(change.from), next: next.child(change.start) }
      const text = spliced.get(change)
      if (element instanceof Y.XmlElement && pair.old.type === pair.next.type) {
        writeAttributes(element, pair)
        if (text !== undefined) writeSpliced(element, { ...text, next: pair.next }, mapping)
        else writeContent(element, pair, mapping)
      } else if (element !== undefined) {
        exchange(parent, { left: element, children: [element] }, [elementOf(pair.next, mapping)])
      }
    } else {
      const fresh = next.children.slice(change.start, change.end)
      const elements = fresh.map((node) => elementOf(node, mapping))
      exchange(parent, place, elements)
    }
  }
  return true
}

/** A text block's only text, and what changes in it. */
interface Spliced {
  readonly text: Y.XmlText
  readonly change: InlineChange
}

/** Of the text blocks that stay those of one text each, as it is mapped. */
function splicedTexts(
  changes: Changes,
  places: readonly Place[],
  { old, next }: Change,
): Map<Changes[number], Spliced> {
  const found = new Map<Changes[number], Spliced>()
  for (const [index, change] of changes.entries()) {
    const element = places[index]?.children[0]
    if (change.kind !== 'pair' || !(element instanceof Y.XmlElement)) continue
    const [was, is] = [old.child(change.from), next.child(change.start)]
    if (!is.isTextblock || was.type !== is.type || element.length !== 1) continue
    const text = element.get(0)
    if (!(text instanceof Y.XmlText) || text.length !== was.content.size) continue
    if (!isTextOnly(was) || !isTextOnly(is)) continue
    const known = takeRegions(was, is)
    found.set(change, { text, change: inlineChange(was.children, is.children, known) })
  }
  return found
}

const isTextOnly = ({ children }: Node): boolean => children.every(({ isText }) => isText)

function writeSpliced(
  element: Y.XmlElement,
  { text, change, next }: Spliced & { readonly next: Node },
  mapping: NodeMapping,
): void {
  writeText(new TextRun([text]), change)
  mapping.set(text, next.children)
  mapping.set(element, next)
}

/** What a change is about, and what stands left of that. */
interface Place {
  readonly left: Child | null
  readonly children: readonly Child[]
}

/** Where each of these changes something; one is found faster by itself. */
function placesOf(parent: Y.XmlFragment, changes: Changes): readonly Place[] {
  const all = changes.length > 1 ? (parent.toArray() as Child[]) : undefined
  return changes.map((change) => {
    const { from } = change
    const to = change.kind === 'pair' ? from + 1 : change.to
    const first = Math.max(0, from - 1)
    const found = all?.slice(first, to) ?? (parent.slice(first, to) as Child[])
    return { left: from > 0 ? (found[0] ?? null) : null, children: found.slice(from - first) }
  })
}

/** What comes stands right behind the neighbour. */
function exchange(parent: Y.XmlFragment, { left, children }: Place, fresh: Y.XmlElement[]): void {
  parent.doc?.transact((transaction) => {
    if (fresh.length > 0) parent.insertAfter(left, fresh)
    for (const child of children) deleteChild(transaction, child)
  })
}

function writeAttributes(element: Y.XmlElement, { old, next }: Change): void {
  for (const [name, value] of Object.entries(next.attrs)) {
    if (value === old.attrs[name]) continue
    if (value === null) element.removeAttribute(name)
    else element.setAttribute(name, value as string)
  }
}

function writeContent(element: Y.XmlElement, { old, next }: Change, mapping: NodeMapping): void {
  if (next.isLeaf) mapping.set(element, next)
  else write(element, { old, next }, mapping)
}

/** A new element, with all below it, that stands for `node`. */
function elementOf(node: Node, mapping: NodeMapping): Y.XmlElement {
  const element = new Y.XmlElement(node.type.name)
  for (const [name, value] of Object.entries(node.attrs)) {
    if (value !== null) element.setAttribute(name, value as string)
  }
  element.insert(
    0,
    groupsOf(node).map((group) => {
      if (!Array.isArray(group)) return elementOf(group as Node, mapping)
      const text = new Y.XmlText()
      text.applyDelta(group.map(({ text: insert, marks }) => ({ insert, ...formats(marks) })))
      mapping.set(text, group)
      return text
    }),
  )
  mapping.set(element, node)
  return element
}

const formats = (marks: readonly Mark[]) => ({ attributes: attributesOf(marks) })

function attributesOf(marks: readonly Mark[]): Record<string, unknown> {
  return Object.fromEntries(marks.map((mark) => [mark.type.name, mark.attrs]))
}

type Group = Node | Node[]

/** Children as Yjs holds them: neighbouring text nodes are one text. */
function groupsOf(node: Node): Group[] {
  const groups: Group[] = []
  for (const child of node.children) {
    const last = groups.at(-1)
    if (!child.isText) groups.push(child)
    else if (Array.isArray(last)) last.push(child)
    else groups.push([child])
  }
  return groups
}

/**
 * The groups as which `runs` are shown: a text of which nothing is left is an empty one. Undefined
 * where there are others.
 */
function groupsFor(runs: readonly (Child | TextRun)[], node: Node): Group[] | undefined {
  const left = groupsOf(node)
  const groups = runs.map((run) => {
    const isShown = left[0] !== undefined && Array.isArray(left[0]) === run instanceof TextRun
    return isShown ? left.shift() : run instanceof TextRun ? [] : undefined
  })
  const areAll = left.length === 0 && groups.every((group) => group !== undefined)
  return areAll ? groups : undefined
}

/**
 * False, and nothing written, unless leaves are the same and each text has its own already. A text
 * that becomes empty stays: what another writes in it just now would go with it.
 */
function writeInline(parent: Y.XmlFragment, { old, next }: Change, mapping: NodeMapping): boolean {
  const runs = runsOf(parent.toArray() as Child[])
  const [before, after] = [groupsFor(runs, old), groupsFor(runs, next)]
  if (before === undefined || after === undefined) return false
  const stands = runs.every((run, at) => {
    const [was, is] = [before[at], after[at]]
    if (was === undefined || is === undefined) return false
    if (!Array.isArray(was)) return was === is && mapping.get(run) === was
    return run instanceof TextRun && Array.isArray(is) && run.length === sizeOf(was)
  })
  if (!stands) return false
  const known = takeRegions(old, next)
  let [taken, start, nextStart] = [0, 0, 0]
  for (const [at, run] of runs.entries()) {
    const [was, is] = [before[at], after[at]].map((group) => [group ?? []].flat()) as [
      Node[],
      Node[],
    ]
    const [end, nextEnd] = [start + sizeOf(was), nextStart + sizeOf(is)]
    if (run instanceof TextRun) {
      const first = taken
      while ((known?.[taken]?.to ?? Infinity) <= end) taken++
      const own = known?.slice(first, taken).map((region) => countedFrom(region, start, nextStart))
      writeText(run, inlineChange(was, is, own))
      const [text, ...more] = run.texts
      if (text !== undefined && more.length === 0) mapping.set(text, is)
      else for (const part of run.texts) mapping.delete(part)
    }
    start = end
    nextStart = nextEnd
  }
  return true
}

const sizeOf = (nodes: readonly Node[]): number =>
  nodes.reduce((size, node) => size + node.nodeSize, 0)

/** The region as it is counted in a part of the block that begins there. */
const countedFrom = ({ from, to, nextFrom, nextTo }: Region, start: number, nextStart: number) => ({
  from: from - start,
  to: to - start,
  nextFrom: nextFrom - nextStart,
  nextTo: nextTo - nextStart,
})

/** What comes is written before what goes: its left neighbour is then one that stays. */
function writeText(run: TextRun, { splices, markChanges }: InlineChange): void {
  const [text, ...others] = run.texts
  if (text !== undefined && others.length === 0 && splices.length > 1) {
    text.applyDelta(deltaOf({ splices, markChanges }))
    return
  }
  for (const { from, to, pieces } of splices.toReversed()) {
    let at = from
    for (const { text: insert, marks } of pieces) {
      run.insert(at, insert, attributesOf(marks))
      at += insert.length
    }
    if (to > from) run.delete(at, to - from)
  }
  for (const { start, from, to, before, after } of markChanges) {
    run.format(start, to - from, changedFormats(before, after))
  }
}

interface DeltaOp {
  readonly insert?: string
  readonly delete?: number
  readonly retain?: number
  readonly attributes?: Record<string, unknown>
}

/**
 * Many splices as one way through the text: Yjs looks for each from the start. Neighbouring
 * deletions are one: Yjs takes away the formats that mean nothing any more within each alone, and
 * what another copy takes away later does not come back with undo.
 */
function deltaOf({ splices, markChanges }: InlineChange): DeltaOp[] {
  const edits = [
    ...splices.map(({ from, to, pieces }) => {
      const come = pieces.map(({ text: insert, marks }) => ({ insert, ...formats(marks) }))
      return { from, to, ops: to > from ? [...come, { delete: to - from }] : come }
    }),
    ...markChanges.map(({ from, to, before, after }) => {
      return { from, to, ops: [{ retain: to - from, attributes: changedFormats(before, after) }] }
    }),
  ]
  const delta: DeltaOp[] = []
  let at = 0
  for (const { from, to, ops } of edits.sort((a, b) => a.from - b.from)) {
    if (from > at) delta.push({ retain: from - at })
    for (const op of ops as DeltaOp[]) {
      const last = delta.at(-1)?.delete
      if (last === undefined || op.delete === undefined) delta.push(op)
      else delta[delta.length - 1] = { delete: last + op.delete }
    }
    at = to
  }
  return delta
}

function changedFormats(before: readonly Mark[], after: readonly Mark[]): Record<string, unknown> {
  const gone = before
    .filter(({ type }) => !type.isInSet(after))
    .map(({ type }) => [type.name, null])
  const come = after.filter((mark) => !mark.isInSet(before))
  return { ...Object.fromEntries(gone), ...attributesOf(come) }
}
