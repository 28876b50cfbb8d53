/**
 * A textblock's content as the printer sees it: runs of text with equal marks, and leaves. A text
 * run knows where each of its stretches came from, because elision may leave gaps. `authored` marks
 * are no concern of markdown and never get this far.
 */
import type { Mark, Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatAddress, flatText } from './addresses.ts'
import type { Definitions } from './definitions.ts'
import { isInlineHtml, unfoldedLines } from './html.ts'
import { sourceOf } from './node-attributes.ts'

const { nodes, marks } = documentSchema

/** Where the text is written: it decides what a line end becomes and what needs an escape. */
export interface InlineShape {
  readonly heading?: boolean
  readonly cell?: boolean
  /** The first block of a list item without a task box. */
  readonly itemFirst?: boolean
  /** Of the document: text in brackets may be a reference. */
  readonly definitions?: Definitions
}

export const isOneLine = (shape: InlineShape): boolean =>
  shape.heading === true || shape.cell === true

/** From `at` in the run's text on, characters stand for the content from `from` on. */
export interface Origin {
  readonly at: number
  readonly from: number
  /** The stretch shows the source of one leaf: a single position, whatever its length. */
  readonly solid: boolean
}

export interface TextRun {
  readonly kind: 'text'
  readonly text: string
  readonly marks: readonly Mark[]
  readonly origins: readonly Origin[]
}

export interface LeafRun {
  readonly kind: 'leaf'
  readonly node: Node
  readonly marks: readonly Mark[]
  readonly from: number
}

export type InlineRun = TextRun | LeafRun

export const isBreak = (run: InlineRun | undefined): boolean =>
  run?.kind === 'leaf' && run.node.type === nodes.hard_break

export const isCode = (run: InlineRun): boolean =>
  run.kind === 'text' && run.marks.some((mark) => mark.type === marks.code)

export const hasMark = (run: InlineRun | undefined, mark: Mark): boolean =>
  run?.marks.some((candidate) => candidate.eq(mark)) ?? false

export function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a === b || (a.length === b.length && a.every((mark, i) => b[i]?.eq(mark) === true))
}

export function slicedRun(run: TextRun, start: number, end = run.text.length): TextRun {
  if (start === 0 && end === run.text.length) return run
  const origins: Origin[] = []
  for (const [index, origin] of run.origins.entries()) {
    const until = run.origins[index + 1]?.at ?? run.text.length
    if (until <= start || origin.at >= end) continue
    const skipped = Math.max(0, start - origin.at)
    const from = origin.solid ? origin.from : origin.from + skipped
    origins.push({ at: Math.max(0, origin.at - start), from, solid: origin.solid })
  }
  return { ...run, text: run.text.slice(start, end), origins }
}

/**
 * Adjacent text with equal marks becomes one run; pieces that met in the document stay one stretch.
 */
export function mergedRuns(runs: readonly InlineRun[]): InlineRun[] {
  const merged: InlineRun[] = []
  for (let i = 0; i < runs.length; ) {
    const run = runs[i++]
    if (run === undefined) break
    if (run.kind === 'leaf') {
      merged.push(run)
      continue
    }
    let text = run.text
    const origins = [...run.origins]
    for (let next = runs[i]; next?.kind === 'text' && sameMarks(next.marks, run.marks); ) {
      for (const origin of next.origins) append(origins, { ...origin, at: origin.at + text.length })
      text += next.text
      next = runs[++i]
    }
    merged.push({ kind: 'text', text, marks: run.marks, origins })
  }
  return merged
}

function append(origins: Origin[], next: Origin): void {
  const last = origins.at(-1)
  if (last !== undefined && last.solid === next.solid) {
    const continued = next.solid ? last.from : last.from + next.at - last.at
    if (continued === next.from) return
  }
  origins.push(next)
}

/** The runs of a textblock before elision: marks cleaned, unreadable HTML atoms shown as text. */
export function rawRuns(textblock: Node, shape: InlineShape): InlineRun[] {
  const runs: InlineRun[] = []
  textblock.forEach((node, offset) => {
    if (node.isText) {
      const origins = [{ at: 0, from: offset, solid: false }]
      runs.push({ kind: 'text', text: node.text ?? '', marks: printedMarks(node.marks), origins })
    } else runs.push(leafRun(node, offset, shape))
  })
  return mergedRuns(runs)
}

function leafRun(leaf: Node, from: number, shape: InlineShape): InlineRun {
  const node = flatLeaf(leaf)
  const own = linkOfLeaf(node)
  const html = node.type === nodes.html_inline
  if (html && !isReadableHtml(sourceOf(node), shape)) return sourceRun(node, own, from)
  return { kind: 'leaf', node, marks: own, from }
}

function isReadableHtml(source: string, shape: InlineShape): boolean {
  if (isOneLine(shape) && source.includes('\n')) return false
  return isInlineHtml(source) && !(shape.cell === true && source.includes('|'))
}

/** An HTML atom that would not be read back shows its source as text. */
export function sourceRun(html: Node, marks: readonly Mark[], from: number): TextRun {
  const origins = [{ at: 0, from, solid: true }]
  return { kind: 'text', text: unfoldedLines(sourceOf(html)), marks, origins }
}

/** The link of an image or HTML atom, as the mark it is printed as. */
function linkOfLeaf(leaf: Node): readonly Mark[] {
  const { href, hrefTitle } = leaf.attrs as { href?: string | null; hrefTitle: string }
  return typeof href === 'string' ? [marks.link.create({ href, title: hrefTitle })] : []
}

/** An image or HTML atom without its link; other leaves as they are. */
export function unlinked(leaf: Node): Node {
  if (typeof leaf.attrs['href'] !== 'string') return leaf
  return leaf.type.create({ ...leaf.attrs, href: null, hrefTitle: '' })
}

const flatteners: Readonly<Record<string, (value: string) => string>> = {
  src: flatAddress,
  href: flatAddress,
  alt: flatText,
  title: flatText,
  hrefTitle: flatText,
}

/** A leaf without marks, its attributes as they can be written. */
function flatLeaf(leaf: Node): Node {
  const changed: Record<string, string> = {}
  for (const [name, value] of Object.entries(leaf.attrs)) {
    const flat = typeof value === 'string' ? flatteners[name]?.(value) : undefined
    if (flat !== undefined && flat !== value) changed[name] = flat
  }
  const bare = leaf.marks.length > 0 ? leaf.mark([]) : leaf
  return Object.keys(changed).length === 0 ? bare : leaf.type.create({ ...leaf.attrs, ...changed })
}

function printedMarks(own: readonly Mark[]): readonly Mark[] {
  const plain = own.some((mark) => mark.type === marks.authored)
    ? own.filter((mark) => mark.type !== marks.authored)
    : own
  return plain.some((mark) => mark.type === marks.link) ? plain.map(flatLink) : plain
}

function flatLink(mark: Mark): Mark {
  if (mark.type !== marks.link) return mark
  const { href, title } = mark.attrs as { href: string; title: string }
  const flat = { href: flatAddress(href), title: flatText(title) }
  if (flat.href === href && flat.title === title) return mark
  return marks.link.create(flat)
}
