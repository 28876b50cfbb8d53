/**
 * The inline rules over a text in steps. The stock parser tries the rules at one place after the
 * other, and then joins what they found in pairs; this does the same and stops now and then.
 * Invariant: the tokens are those of the stock parser.
 */
import type MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import type { Steps } from '../steps.ts'
import type { ParseEnv } from './parse-env.ts'

/** A text of fewer characters is read at once. */
const shortText = 2048

/** Places between two at which the work may be interrupted. */
const placesAtOnce = 256

/** Reads an `inline` token's text into its children. */
export function* walkingInline(token: Token, md: MarkdownIt, env: ParseEnv): Steps<void> {
  const { content, children } = token
  env.callSteps = 0
  const into = children ?? []
  if (content.length < shortText) md.inline.parse(content, md, env, into)
  else yield* walkingLong(content, { md, env, into })
}

function* walkingLong(
  content: string,
  { md, env, into }: { readonly md: MarkdownIt; readonly env: ParseEnv; readonly into: Token[] },
): Steps<void> {
  const state = new md.inline.State(content, md, env, into)
  const rules = md.inline.ruler.getRules('')
  for (let places = 1; state.pos < state.posMax; places++) {
    env.callSteps = 0
    if (!rules.some((rule) => rule(state, false))) state.pending += content[state.pos++]
    if (places % placesAtOnce === 0) yield
  }
  if (state.pending !== '') state.pushPending()
  for (const rule of md.inline.ruler2.getRules('')) {
    yield
    rule(state)
  }
}
