/**
 * Link definitions (`[label]: address "title"`) are resolved where they are used and then gone, so
 * that every block of canonical markdown stands for itself. One that nothing uses must not vanish:
 * it leaves a token that becomes a comment. `[^1]:` is a footnote, which is plain text here.
 */
import type { StateBlock } from 'markdown-it'
import { type LinkTarget, type ParseEnv, parseEnv } from './parse-env.ts'

type BlockRule = (state: StateBlock, line: number, end: number, silent: boolean) => boolean

/** `meta` of a `link_definition` token. */
export interface DefinitionUse {
  used: boolean
}

class TrackedTarget implements LinkTarget {
  readonly title: string
  readonly #href: string
  readonly #use: DefinitionUse

  constructor(target: LinkTarget, use: DefinitionUse) {
    this.title = target.title
    this.#href = target.href
    this.#use = use
  }

  get href(): string {
    this.#use.used = true
    return this.#href
  }
}

/** Wraps the stock rule: each definition leaves a `link_definition` token that knows of its use. */
export function definitionRule(stock: BlockRule): BlockRule {
  return (state, line, end, silent) => {
    const from = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
    if (state.src.charCodeAt(from) !== 0x5b || state.src.charCodeAt(from + 1) === 0x5e) return false
    const env = state.env as ParseEnv
    const scratch = parseEnv(false)
    state.env = scratch
    const found = stock(state, line, end, silent)
    state.env = env
    if (!found || silent) return found
    const use: DefinitionUse = { used: false }
    for (const [label, target] of Object.entries(scratch.references)) {
      env.references[label] ??= new TrackedTarget(target, use)
    }
    const token = state.push('link_definition', '', 0)
    token.hidden = true
    token.map = [line, state.line]
    token.content = state.getLines(line, state.line, state.blkIndent, false).trim()
    token.meta = use
    return true
  }
}

/** The comment that an unused definition becomes; it never holds a `--` of the definition's. */
export function definitionComment(definition: string): string {
  const lines = definition.split('\n').map((line) => line.trim())
  return `<!-- ${lines.join(' ').replace(/-(?=-)/g, '- ')} -->`
}
