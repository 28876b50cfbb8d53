/**
 * Single steps that no budget sees. Regular expressions of the product take time that grows with
 * the text alone. Two things make one slower, and neither may be in it: two unbounded parts side
 * by side that can share characters, and an unbounded part that runs on over places at which the
 * expression would begin again. Such a text needs a scan by hand, a narrower class, or a look
 * behind (`(?<!x)x+$`). And what a stranger sends as JSON, YAML or HTML is parsed in one place each.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { JS, NFA } from 'refa'
import { analyse } from 'scslre'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseAst } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Those that no text of a stranger reaches, or that cannot fail where they run on. */
const harmless: readonly string[] = [
  // The stack of an error of ours.
  String.raw`/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g`,
  // It gives back the punctuation at the end of one address, and cannot fail before it.
  String.raw`https?:\/\/[^\s<>"'`,
]

interface Pattern {
  readonly where: string
  readonly literal: AST.RegExpLiteral
}

const files = ['schema', 'core', 'rest', 'server', 'persistence', 'web'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('build/'))
    .map((name) => join(folder, name)),
)

const patterns: readonly Pattern[] = files.flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const found: Pattern[] = []
  eachNode(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), ({ regex, start }) => {
    if (regex === undefined) return
    const literal = new RegExpParser().parseLiteral(`/${regex.pattern}/${regex.flags}`)
    found.push({ where: `${path}:${text.slice(0, start).split('\n').length}`, literal })
  })
  return found
})

interface SyntaxNode {
  readonly type?: string
  readonly start?: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

function eachNode(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) visit(value as SyntaxNode)
  for (const child of Object.values(value)) eachNode(child, visit)
}

const isHarmless = ({ literal }: Pattern): boolean =>
  harmless.some((known) => literal.raw.includes(known))

/** What two unbounded parts share, as the library finds it. */
function sharingParts({ literal }: Pattern): readonly string[] {
  const { pattern, flags } = literal
  return analyse({ source: pattern.raw, flags: flags.raw }).reports.map(({ type }) => type)
}

/** Unbounded parts that can hold what has to stand before them, and be followed by a failure. */
function runningOver({ literal }: Pattern): readonly string[] {
  if (literal.flags.sticky) return []
  const found: string[] = []
  visitRegExpAST(literal, {
    onQuantifierEnter(quantifier) {
      if (quantifier.max !== Number.POSITIVE_INFINITY) return
      const around = surroundings(quantifier)
      if (around === undefined || around.before === '' || !around.canFail) return
      const flags = literal.flags.raw.replace(/[gmd]/g, '')
      const [before, part] = [around.before, `(?:${quantifier.element.raw})*`].map((source) => {
        const parser = JS.Parser.fromLiteral({ source, flags })
        const parsed = parser.parse({ assertions: 'disable', backreferences: 'disable' })
        return NFA.fromRegex(parsed.expression, parsed)
      }) as [NFA, NFA]
      before.withoutEmptyWord()
      if (!NFA.fromIntersection(before, part).isEmpty) found.push(quantifier.raw)
    },
  })
  return found
}

interface Surroundings {
  /** What has to stand before the part. */
  readonly before: string
  /** Whether something has to stand behind it. */
  readonly canFail: boolean
}

/** Undefined: the part stands in a look ahead or behind, or is tried at one place alone. */
function surroundings(quantifier: AST.Quantifier): Surroundings | undefined {
  let [before, canFail] = ['', false]
  for (let node: AST.Node = quantifier; node.parent !== null; node = node.parent) {
    const { parent } = node
    if (parent.type === 'Assertion') return undefined
    if (parent.type !== 'Alternative') continue
    const at = parent.elements.indexOf(node as AST.Element)
    const first = parent.elements[0]
    const isFixed = first?.type === 'Assertion' && first.kind === 'start'
    if (parent.parent.type === 'Pattern' && isFixed) return undefined
    const ahead = parent.elements.slice(0, at).filter(({ type }) => type !== 'Assertion')
    before = ahead.map(({ raw }) => raw).join('') + before
    canFail ||= parent.elements.slice(at + 1).some((element) => !canBeEmpty(element))
  }
  return { before, canFail }
}

const canBeEmpty = (element: AST.Element): boolean =>
  element.type === 'Quantifier' && element.min === 0

test('there are patterns to judge', () => {
  assert.ok(patterns.length > 300, `${patterns.length} patterns`)
})

test('no pattern takes more than the time that the text is long', () => {
  const slow = patterns
    .filter((pattern) => !isHarmless(pattern))
    .flatMap((pattern) =>
      [...sharingParts(pattern), ...runningOver(pattern)].map(
        (what) => `${pattern.where} ${pattern.literal.raw}: ${what}`,
      ),
    )
  assert.equal(slow, [])
})

test('what is known to be slow is found', () => {
  for (const source of [
    String.raw`/^\s*a\s*\s*$/`,
    String.raw`/[ \t]+$/`,
    String.raw`/\]\(<[^>\n]*>/g`,
    String.raw`/^(?:"[^"]*"|[^:]*)\s*:/`,
    '/(a+)+b/',
    String.raw`/\beyJ[\w-]{8,}\.[\w-]+/g`,
  ]) {
    const pattern = { where: 'here', literal: new RegExpParser().parseLiteral(source) }
    assert.ok(sharingParts(pattern).length + runningOver(pattern).length > 0, source)
  }
})

test('every pattern that is let pass is still there', () => {
  const unused = harmless.filter(
    (known) => !patterns.some(({ literal }) => literal.raw.includes(known)),
  )
  assert.equal(unused, [])
})

/** Where a parser may be called, by what it is given. All of it has a bound before it is parsed. */
const parsers: readonly {
  readonly call: RegExp
  readonly ofStrangers: readonly string[]
  /** What the service or the page wrote itself. */
  readonly ofOurs: readonly string[]
}[] = [
  {
    call: /\bJSON\.parse\(/,
    ofStrangers: [
      'rest/bodies/json-body.ts',
      'rest/accounts/oidc.ts',
      'server/identity-provider.ts',
      'schema/presence-state.ts',
      'server/sockets/change-socket.ts',
      'core/documents/guard/content-reader.ts',
    ],
    ofOurs: [
      ...['core/commit/', 'core/records/', 'core/documents/views/', 'core/documents/open/'],
      ...['core/commit/kept-outcomes.ts', 'persistence/', 'web/', 'server/stack-traces.ts'],
      'server/control-socket.ts',
    ],
  },
  { call: /from 'yaml'/, ofStrangers: ['schema/okf.ts'], ofOurs: [] },
  { call: /from 'parse5'/, ofStrangers: ['core/assets/artifacts/normalize.ts'], ofOurs: [] },
]

test('JSON, YAML and HTML of strangers are parsed in one place each', () => {
  for (const { call, ofStrangers, ofOurs } of parsers) {
    const calling = files.filter((path) => call.test(readFileSync(join(root, path), 'utf8')))
    const known = [...ofStrangers, ...ofOurs]
    const others = calling.filter((path) => !known.some((one) => path.startsWith(one)))
    assert.equal(others, [], String(call))
    assert.equal(
      ofStrangers.filter((path) => !calling.includes(path)),
      [],
      String(call),
    )
  }
})

test.run()
