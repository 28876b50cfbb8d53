/**
 * What printing yields besides the text: where content lies in it. Invariant: `segments` ascend in
 * `md` and in `pos` and never overlap; what lies between them is markup that belongs to no
 * position.
 */
import type { InlineRun } from './inline-runs.ts'

/** A UTF-16 range, `to` excluded. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** What a block's markdown depends on besides the block. */
export interface PrintContext {
  /** First child of the document, where `---` would open front matter. */
  readonly first: boolean
  /** Nothing else in the document, save front matter before it: if empty, it prints nothing. */
  readonly only: boolean
  /** What may not end a list's markers, because those of the list before end with it; '' else. */
  readonly avoid: string
  /** How many blanks may stand before the block in its line. */
  readonly indent: number
}

/**
 * A stretch of markdown that is a stretch of content. `pos` counts from the position just before
 * the block node, so that its first content is at 1. Where `mdLength` equals `length`, characters
 * stand for themselves one by one; otherwise (entities, images, HTML, breaks) it is a unit, all or
 * nothing.
 */
export interface Segment {
  readonly md: number
  readonly mdLength: number
  readonly pos: number
  readonly length: number
}

/** Where a block is written: from its marker, or from behind the prefixes of what holds it. */
export interface NestedRange {
  readonly type: string
  readonly id: string | null
  readonly pos: number
  readonly from: number
  readonly to: number
}

export interface PrintedBlock {
  /** Without a final newline. */
  readonly md: string
  readonly segments: readonly Segment[]
  /** The block itself first, nested ones after the one that holds them. */
  readonly blocks: readonly NestedRange[]
  /** The last block that begins at or before an offset or a position; costs what its holders do. */
  lastBlock(by: 'from' | 'pos', wanted: number): NestedRange | undefined
  /** The same of segments. */
  lastSegment(by: 'md' | 'pos', wanted: number): Segment | undefined
}

export interface PrintedInline {
  readonly md: string
  /** `pos` counts from the start of the textblock's content. */
  readonly segments: readonly Segment[]
  readonly runs: readonly InlineRun[]
}
