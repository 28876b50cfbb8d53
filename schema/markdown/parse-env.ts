/**
 * What one run of the tokenizer carries along, and the limits it enforces. Limits are counts of
 * work (inline steps, block tokens, nesting), so a refusal depends on the text alone, never on the
 * clock.
 */
import type { StateBlock, StateInline } from 'markdown-it'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'

/** A link definition: reading `href` is what a link does when it resolves its reference. */
export interface LinkTarget {
  readonly href: string
  readonly title: string
}

export interface ParseEnv {
  /** The text begins a document, so its first line may open front matter. */
  readonly start: boolean
  /** Inline rules tried so far. */
  steps: number
  /** By normalized label; the tokenizer's own rules look here. */
  references: Record<string, LinkTarget>
}

export const parseEnv = (start: boolean): ParseEnv => ({ start, steps: 0, references: {} })

export type ParseRefusalReason = 'too_complex' | 'too_many_blocks' | 'too_deep' | 'too_many_columns'

export function refuseMarkdown(reason: ParseRefusalReason): never {
  throw new Refusal('INVALID_MARKDOWN', { reason })
}

/** Inline rule that matches nothing and counts every attempt to match anything. */
export function countStep(state: StateInline): boolean {
  const env = state.env as ParseEnv
  env.steps++
  if (env.steps > limits.parseInlineSteps) refuseMarkdown('too_complex')
  return false
}

/** Makes every block token count. */
export function limitedState(State: typeof StateBlock): typeof StateBlock {
  return class extends State {
    override push(...[type, tag, nesting]: Parameters<StateBlock['push']>) {
      if (this.tokens.length >= limits.parseBlockTokens) refuseMarkdown('too_many_blocks')
      if (nesting === 1 && this.level > limits.parseMaxLevel) refuseMarkdown('too_deep')
      return super.push(type, tag, nesting)
    }
  }
}
