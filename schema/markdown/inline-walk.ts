/**
 * The inline rules over a text in steps. The stock parser tries the rules at one place after the
 * other, and then joins what they found in pairs; this does the same and stops now and then.
 * Invariant: the tokens are those of the stock parser.
 */
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import type { ParseEnv } from './parse-env.ts'

/** A text of fewer characters is read at once. */
const shortText = 2048

/** Reads an `inline` token's text into its children. */
export function walkingInline(token: Token, md: MarkdownIt, env: ParseEnv): void {
  const { content, children } = token
  env.callSteps = 0
  const into = children ?? []
  if (content.length < shortText) md.inline.parse(content, md, env, into)
  else walkingLong(content, { md, env, into })
}

function walkingLong(
  content: string,
  { md, env, into }: { readonly md: MarkdownIt; readonly env: ParseEnv; readonly into: Token[] },
): void {
  const state = new md.inline.State(content, md, env, into)
  const rules = md.inline.ruler.getRules('')
  while (state.pos < state.posMax) {
    env.callSteps = 0
    if (!rules.some((rule) => rule(state, false))) state.pending += content[state.pos++]
  }
  if (state.pending !== '') state.pushPending()
  for (const rule of md.inline.ruler2.getRules('')) {
    rule(state)
  }
}
