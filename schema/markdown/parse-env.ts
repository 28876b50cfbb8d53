/**
 * What one run of the tokenizer carries along, and the limits it enforces. Limits are counts of
 * work (inline steps, block nodes, nesting), so a refusal depends on the text alone, never on the
 * clock.
 */
import type { StateBlock, StateInline, Token } from 'markdown-it'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Definitions, type LinkTarget, noDefinitions } from './definitions.ts'

/** A rule of markdown-it that reads blocks. */
export type BlockRule = (state: StateBlock, line: number, end: number, silent: boolean) => boolean

export const parseMaxLevel = 48

/** Pieces of text passed over again in search of the end of a label. */
const parseInlineSkips = 2_000_000

const parseInlineSteps = 600_000

/** A token made since the last note; `isFlush`: of the text before it. */
export interface MadeToken {
  readonly token: Token
  readonly isFlush: boolean
}

/** What follows a run of the inline rules (`InlineTrace`). */
interface InlineNotes {
  /** Before each rule is tried, and where a run ends. */
  note(state: StateInline): void
  made(state: StateInline, made: MadeToken): void
  /** Once delimiters are paired and before pieces of text are joined. */
  settle(state: StateInline): void
}

export interface ParseEnv {
  /** The text begins a document, so its first line may open front matter. */
  readonly start: boolean
  /** Inline rules tried so far. */
  steps: number
  /** Pieces of text passed over again while a rule looked for the end of a label. */
  skips: number
  /** Block nodes that the tokens so far make. */
  blocks: number
  /** By normalized label; the tokenizer's own rules look here. */
  readonly references: Record<string, LinkTarget>
  /** The text is an edit's, in which a row has no more cells than the header. */
  readonly isEdit: boolean
  /** Notes where the content of a textblock is written. */
  readonly trace: InlineNotes | undefined
}

export interface ParseOptions {
  /** The text begins a document, so front matter is allowed (default true). */
  readonly start?: boolean
  /** Of the document around the text; those in the text come after them. */
  readonly definitions?: Definitions
  /** The text is an edit's (default false). */
  readonly isEdit?: boolean
  readonly trace?: InlineNotes | undefined
}

export const parseEnv = ({
  start = true,
  definitions,
  isEdit = false,
  trace,
}: ParseOptions): ParseEnv => ({
  start,
  steps: 0,
  skips: 0,
  blocks: 0,
  references: Object.create((definitions ?? noDefinitions).targets) as Record<string, LinkTarget>,
  isEdit,
  trace,
})

export type ParseRefusalReason = 'too_complex' | 'too_deep' | 'too_many_columns' | 'extra_cells'

/** `line`: of the text, from 1. */
export function refuseMarkdown(reason: ParseRefusalReason, where?: { line: number }): never {
  throw new Refusal('INVALID_MARKDOWN', { reason, ...where })
}

/** Inline rule that matches nothing; it counts and notes every attempt to match anything. */
export function countStep(state: StateInline, silent: boolean): boolean {
  const env = state.env as ParseEnv
  env.steps++
  if (!silent) env.trace?.note(state)
  if (env.steps > parseInlineSteps) refuseMarkdown('too_complex')
  return false
}

/** Counts a piece of text that is passed over, known or not. */
export function countSkip(env: ParseEnv): void {
  if (++env.skips > parseInlineSkips) refuseMarkdown('too_complex')
}

/** Tokens that open what is no block node. */
const noBlocks: ReadonlySet<string> = new Set(['thead_open', 'tbody_open', 'inline'])

/** Counts the block nodes. */
export function limitedState(State: typeof StateBlock): typeof StateBlock {
  return class extends State {
    override push(...[type, tag, nesting]: Parameters<StateBlock['push']>) {
      if (nesting >= 0 && !noBlocks.has(type)) countBlock(this.env as ParseEnv)
      if (nesting === 1 && this.level > parseMaxLevel) refuseMarkdown('too_deep')
      return super.push(type, tag, nesting)
    }

    /** At the top lines follow each other in the text, so that one cut is enough. */
    override getLines(...[from, to, indent, keepsEnd]: Parameters<StateBlock['getLines']>) {
      const isCut = this.level === 0 && indent === 0 && from < to
      if (!isCut) return super.getLines(from, to, indent, keepsEnd)
      return this.src.slice(this.bMarks[from], (this.eMarks[to - 1] ?? 0) + (keepsEnd ? 1 : 0))
    }
  }
}

function countBlock(env: ParseEnv): void {
  env.blocks++
  if (env.blocks > limits.blocksMax) refuseBlocks(env.blocks)
}

/** `size`: as many as there are, or as were counted when it was clear that there are too many. */
export function refuseBlocks(size: number): never {
  throw new Refusal('PAYLOAD_TOO_LARGE', { limit: 'blocks', max: limits.blocksMax, size })
}
