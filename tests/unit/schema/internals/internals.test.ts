/**
 * What the schema reads of the private fields of markdown-it and prosemirror-markdown
 * (schema/internals). A test fails here when a new version names or fills them in another way.
 */
import MarkdownIt from 'markdown-it'
import { MarkdownParser } from 'prosemirror-markdown'
import type { Node } from 'prosemirror-model'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { handlersOf, type TokenHandlers } from '../../../../schema/internals/parse-state.ts'
import { stockRule } from '../../../../schema/internals/stock-rules.ts'
import { DocumentBuilder } from '../../../../schema/markdown/document-builder.ts'

test('each stock rule is found by its name and is the one that its ruler runs', () => {
  const { core, block, inline } = new MarkdownIt('default')
  for (const name of ['table', 'html_block', 'reference']) {
    assert.ok(block.ruler.getRules('').includes(stockRule(block.ruler, name)), name)
  }
  assert.ok(inline.ruler.getRules('').includes(stockRule(inline.ruler, 'backticks')))
  for (const name of ['normalize', 'text_join']) {
    assert.ok(core.ruler.getRules('').includes(stockRule(core.ruler, name)), name)
  }
  assert.throws(() => stockRule(block.ruler, 'no_such_rule'), /no rule no_such_rule/)
})

test('a rule that wraps a stock one takes its place', () => {
  const md = new MarkdownIt('default')
  const stock = stockRule(md.inline.ruler, 'backticks')
  let times = 0
  md.inline.ruler.at('backticks', (state, silent) => {
    times++
    return stock(state, silent)
  })
  assert.is(md.renderInline('`code`'), '<code>code</code>')
  assert.is(times, 1)
})

test('two core rules by their names do what they are called for', () => {
  const md = new MarkdownIt('default')
  const state = new md.core.State('a\r\nb\0', md, {})
  stockRule(md.core.ruler, 'normalize')(state)
  assert.is(state.src, 'a\nb\uFFFD')
  const [token] = md.parseInline('x \\* y', {})
  state.tokens = token === undefined ? [] : [token]
  const { children } = state.tokens[0] ?? { children: null }
  const split = ['x ', '* y'].map((content) => {
    const text = new state.Token('text', '', 0)
    text.content = content
    return text
  })
  children?.splice(0, children.length, ...split)
  stockRule(md.core.ruler, 'text_join')(state)
  assert.equal(
    children?.map(({ content }) => content),
    ['x * y'],
  )
})

/** What the handlers of a stock parser make of a text, `own` in place of the stock ones. */
function built(text: string, own: TokenHandlers = {}): Node | null {
  const md = new MarkdownIt('commonmark')
  const parser = new MarkdownParser(documentSchema, md, {
    paragraph: { block: 'paragraph' },
    blockquote: { block: 'blockquote' },
    em: { mark: 'em' },
    hardbreak: { node: 'hard_break' },
  })
  const builder = new DocumentBuilder({ ...handlersOf(parser), ...own }, () => undefined)
  builder.parseTokens(md.parse(text, {}))
  return builder.closeNode()
}

test('stock handlers build blocks, marks and leaves in our state', () => {
  const doc = built('> one *two*  \nthree')
  const quote = doc?.firstChild
  assert.is(quote?.type.name, 'blockquote')
  const found: unknown[] = []
  quote?.firstChild?.forEach((node) => {
    found.push([node.type.name, node.text, node.marks.map(({ type }) => type.name)])
  })
  assert.equal(found, [
    ['text', 'one ', []],
    ['text', 'two', ['em']],
    ['hard_break', undefined, []],
    ['text', 'three', []],
  ])
})

test('a handler of our own stands in place of the stock one and is given token, row and index', () => {
  const given: unknown[] = []
  const doc = built('words', {
    text(state, token, tokens, index) {
      given.push([token.content, tokens.length, index])
      state.addText(token.content.toUpperCase())
    },
  })
  assert.equal(given, [['words', 1, 0]])
  assert.is(doc?.textContent, 'WORDS')
})

test('a parser without handlers is refused', () => {
  assert.throws(() => handlersOf({} as MarkdownParser), /no token handlers/)
})

test.run()
