/**
 * The rule that reads link definitions (`[label]: address "title"`), each of which is a block.
 * `[^1]:` is a footnote, which is plain text here.
 */
import type { LinkTarget } from './definitions.ts'
import { type BlockRule, type ParseEnv, parseEnv } from './parse-env.ts'

/** `meta` of a `link_definition` token. */
export interface DefinitionMeta {
  readonly entries: readonly (readonly [string, LinkTarget])[]
}

/** Wraps the stock rule: each definition leaves a token with its source as the content. */
export function definitionRule(stock: BlockRule): BlockRule {
  return (state, line, end, silent) => {
    const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
    if (state.src.charCodeAt(from) !== 0x5b || state.src.charCodeAt(from + 1) === 0x5e) return false
    const env = state.env as ParseEnv
    const scratch = parseEnv({})
    state.env = scratch
    const found = stock(state, line, end, silent)
    state.env = env
    if (!found || silent) return found
    const entries = Object.entries(scratch.references)
    for (const [label, target] of entries) env.references[label] ??= target
    const token = state.push('link_definition', '', 0)
    token.map = [line, state.line]
    token.content = state.getLines(line, state.line, state.blkIndent, false)
    token.meta = { entries } satisfies DefinitionMeta
    return true
  }
}
