/**
 * The pieces of which a textblock is written, in order: delimiters, links, text, code, leaves.
 * Marks nest: the longest is opened first, emphasis outside a link of equal extent; where marks
 * cross, the one that ends later is closed and opened again.
 */
import type { Mark } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatText, isAutolink, linkTail } from './addresses.ts'
import {
  type InlineRun,
  type InlineShape,
  isCode,
  isOneLine,
  type LeafRun,
  type TextRun,
} from './inline-runs.ts'
import { sourceOf } from './node-attributes.ts'

const { marks, nodes } = documentSchema

/**
 * How emphasis is spelled; everything but the first style is for text that the first cannot spell.
 */
export interface InlineStyle {
  /** Bit k: the k-th emphasis that opens uses `_`. */
  readonly underscores: number
  /** A mark that is opened goes outside open marks that end before it. */
  readonly longerOutside: boolean
  /** Escape every character that could ever be markup. */
  readonly escapeAll: boolean
}

export const usualStyle: InlineStyle = { underscores: 0, longerOutside: false, escapeAll: false }

export type LayoutPiece =
  | { readonly kind: 'markup'; readonly md: string }
  | { readonly kind: 'delimiter'; readonly md: string; readonly opens: boolean }
  | { readonly kind: 'unit'; readonly md: string; readonly from: number }
  | { readonly kind: 'text'; readonly run: TextRun; readonly inLink: boolean }
  | { readonly kind: 'code'; readonly run: TextRun }
  | { readonly kind: 'literal'; readonly run: TextRun }

interface OpenMark {
  readonly mark: Mark
  readonly delimiter: string
  readonly autolink: boolean
}

export function inlinePieces(
  runs: readonly InlineRun[],
  shape: InlineShape,
  style: InlineStyle,
): LayoutPiece[] {
  const layout = new Layout(runs, shape, style)
  for (const index of runs.keys()) {
    layout.place(index)
  }
  return layout.finish()
}

class Layout {
  readonly #runs: readonly InlineRun[]
  readonly #shape: InlineShape
  readonly #style: InlineStyle
  readonly #ends: readonly ReadonlyMap<Mark, number>[]
  readonly #pieces: LayoutPiece[] = []
  readonly #open: OpenMark[] = []
  #emphasised = 0

  constructor(runs: readonly InlineRun[], shape: InlineShape, style: InlineStyle) {
    this.#runs = runs
    this.#shape = shape
    this.#style = style
    this.#ends = extents(runs)
  }

  place(index: number): void {
    const run = this.#runs[index]
    if (run === undefined) return
    const wanted = run.marks.filter((mark) => mark.type !== marks.code)
    this.#closeDownTo(this.#kept(wanted, index))
    const isOpen = (mark: Mark) => this.#open.some((open) => open.mark.eq(mark))
    const fresh = wanted.filter((mark) => !isOpen(mark))
    fresh.sort((a, b) => this.#end(index, b) - this.#end(index, a) || spellingOrder(a, b))
    for (const mark of fresh) this.#openMark(mark, index)
    this.#content(run)
  }

  finish(): LayoutPiece[] {
    this.#closeDownTo(0)
    return this.#pieces
  }

  #end(index: number, mark: Mark): number {
    for (const [own, end] of this.#ends[index] ?? []) if (own.eq(mark)) return end
    return index
  }

  /** How many of the open marks stay open ahead of a run. */
  #kept(wanted: readonly Mark[], index: number): number {
    const open = this.#open
    const dead = open.findIndex(({ mark }) => !wanted.some((want) => want.eq(mark)))
    let kept = dead === -1 ? open.length : dead
    for (const mark of wanted) {
      const isLink = mark.type === marks.link
      if (!isLink && !this.#style.longerOutside) continue
      if (open.some((candidate) => candidate.mark.eq(mark))) continue
      const end = this.#end(index, mark)
      const shorter = open
        .slice(0, kept)
        .findIndex((o) => (isLink || o.mark.type !== marks.link) && this.#end(index, o.mark) < end)
      if (shorter !== -1) kept = shorter
    }
    return kept
  }

  #openMark(mark: Mark, index: number): void {
    if (mark.type === marks.link) {
      const autolink = this.#canBeAutolink(mark, index)
      this.#pieces.push({ kind: 'markup', md: autolink ? '<' : '[' })
      this.#open.push({ mark, delimiter: '', autolink })
      return
    }
    const delimiter = mark.type === marks.strike ? '~~' : this.#emphasis(mark)
    this.#pieces.push({ kind: 'delimiter', md: delimiter, opens: true })
    this.#open.push({ mark, delimiter, autolink: false })
  }

  #emphasis(mark: Mark): string {
    const bit = Math.min(this.#emphasised++, 30)
    const char = (this.#style.underscores >> bit) & 1 ? '_' : '*'
    return mark.type === marks.strong ? char + char : char
  }

  #canBeAutolink(link: Mark, index: number): boolean {
    const run = this.#runs[index]
    if (run?.kind !== 'text' || isCode(run) || this.#end(index, link) !== index) return false
    const { href, title } = link.attrs as { href: string; title: string }
    return title === '' && isAutolink(run.text, href)
  }

  #closeDownTo(kept: number): void {
    while (this.#open.length > kept) {
      const open = this.#open.pop()
      if (open === undefined) return
      if (open.mark.type !== marks.link) {
        this.#pieces.push({ kind: 'delimiter', md: open.delimiter, opens: false })
      } else if (open.autolink) this.#pieces.push({ kind: 'markup', md: '>' })
      else {
        const { href, title } = open.mark.attrs as { href: string; title: string }
        this.#pieces.push({ kind: 'markup', md: `](${this.#inCell(linkTail(href, title))})` })
      }
    }
  }

  #content(run: InlineRun): void {
    if (run.kind === 'leaf') this.#pieces.push(this.#leaf(run))
    else if (this.#open.some((open) => open.autolink)) this.#pieces.push({ kind: 'literal', run })
    else if (isCode(run)) this.#pieces.push({ kind: 'code', run })
    else {
      const inLink = this.#open.some((open) => open.mark.type === marks.link)
      this.#pieces.push({ kind: 'text', run, inLink })
    }
  }

  #leaf({ node, from }: LeafRun): LayoutPiece {
    if (node.type === nodes.hard_break) {
      return { kind: 'unit', md: isOneLine(this.#shape) ? '<br />' : '\\\n', from }
    }
    if (node.type === nodes.html_inline) return { kind: 'unit', md: sourceOf(node), from }
    const { src, alt, title } = node.attrs as { src: string; alt: string; title: string }
    const label = imageLabel(alt, this.#style.escapeAll)
    return { kind: 'unit', md: this.#inCell(`![${label}](${linkTail(src, title)})`), from }
  }

  #inCell(md: string): string {
    return this.#shape.cell === true ? md.replaceAll('|', '\\|') : md
  }
}

/** At equal extent emphasis goes outside a link, and strong outside em outside strike. */
function spellingOrder(a: Mark, b: Mark): number {
  const rank = ({ type }: Mark) => [marks.strong, marks.em, marks.strike].indexOf(type)
  return (a.type === marks.link ? 9 : rank(a)) - (b.type === marks.link ? 9 : rank(b))
}

/** For each run, the index of the last run up to which each of its marks goes on. */
function extents(runs: readonly InlineRun[]): ReadonlyMap<Mark, number>[] {
  const ends: Map<Mark, number>[] = []
  for (let i = runs.length - 1; i >= 0; i--) {
    const own = new Map<Mark, number>()
    for (const mark of runs[i]?.marks ?? []) {
      let end = i
      for (const [next, nextEnd] of ends[i + 1] ?? []) if (next.eq(mark)) end = nextEnd
      own.set(mark, end)
    }
    ends[i] = own
  }
  return ends
}

function imageLabel(alt: string, escapeAll: boolean): string {
  const label = flatText(alt)
  const risky = escapeAll || /\]\(|[*_~]{2}|!\[/.test(label)
  if (risky) return label.replace(/[\\`*_~[\]<>&!:]/g, '\\$&')
  const escaped = label.replace(/[\\`*<&]|(?<!\w)_|_(?!\w)/g, '\\$&')
  return hasBalancedBrackets(label) ? escaped : escaped.replace(/[[\]]/g, '\\$&')
}

function hasBalancedBrackets(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === '[') depth++
    else if (char === ']') depth--
    if (depth < 0) return false
  }
  return depth === 0
}
