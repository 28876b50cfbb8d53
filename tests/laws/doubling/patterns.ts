/**
 * Texts that are hard for a program that reads them: each special character of a dialect and pairs
 * of them, alone and between others, in long runs, in many lines, nested and never closed; strings
 * that nearly match everywhere. A pattern makes a text of any size.
 */
import type { Chance } from '../../chance.ts'

export interface Pattern {
  readonly name: string
  /** A text of about so many characters. */
  text(size: number): string
}

export type Dialect = 'markdown' | 'yaml' | 'json' | 'html' | 'words' | 'name'

const atoms: Readonly<Record<Dialect, readonly string[]>> = {
  markdown: [
    ...[
      '*',
      '_',
      '**',
      '~~',
      '`',
      '``',
      '[',
      ']',
      '(',
      ')',
      '](',
      '](<',
      '![',
      '<',
      '>',
      '<a',
      '</',
    ],
    ...[
      '&',
      '&amp;',
      '&#',
      '\\',
      '|',
      '#',
      '- ',
      '* ',
      '1. ',
      '> ',
      '    ',
      '\t',
      '---',
      '===',
      ':',
    ],
    ...[
      '```',
      '~~~',
      '"',
      "'",
      ' ',
      '\n',
      '\n\n',
      'a',
      'ab ',
      'http://',
      'www.',
      '@',
      '[^',
      '[a]: ',
      '<!--',
    ],
    ...[
      '|-|',
      '- [ ] ',
      '<br />',
      '\u00a0',
      '\u3000',
      'é',
      '😀',
      '!',
      '.',
      '$',
      '{',
      '}',
      '+',
      '=',
    ],
  ],
  yaml: [
    ...[
      'a: ',
      'b',
      ': ',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&a ',
      '*a ',
      '!t ',
      '|',
      '>',
      '%',
      '@',
    ],
    ...['"', "'", '\\', '#', ' ', '  ', '\t', '\n', '\n ', '<<: ', '~', '`', '1', '---', '...'],
  ],
  json: [
    '[',
    ']',
    '{',
    '}',
    '[]',
    '{}',
    '""',
    '"a":',
    ',',
    '0',
    ':',
    '"',
    '\\',
    '\\u0000',
    ' ',
    '[0,',
    '{"a":[',
    'null',
    '1e9',
  ],
  html: [
    ...[
      '<',
      '>',
      '</',
      '<a>',
      '</a>',
      '<b ',
      'a="',
      '"',
      "'",
      '<!--',
      '-->',
      '<style>',
      '</style>',
      '@import ',
    ],
    ...[
      'url(',
      ')',
      '<p>',
      '<table>',
      '<i>',
      '<script>',
      '&',
      '&lt',
      '{',
      '}',
      ';',
      '/*',
      ' ',
      '\n',
      'x',
    ],
  ],
  words: [
    'a',
    'b',
    'aa',
    'ab',
    ' ',
    'é',
    'e\u0301',
    '\u0301',
    '😀',
    '.',
    '-',
    '@a ',
    '_',
    'İ',
    'ß',
    '\n',
    '`',
    'A',
  ],
  name: ['a', ' ', '-', '_', '.', '@', '/', 'é', '\u0301', '😀', '%', '+', ',', ':', 'A', '0', '"'],
}

const repeated = (unit: string, size: number): string =>
  unit.repeat(Math.max(1, Math.ceil(size / unit.length))).slice(0, Math.max(1, size))

/** How units make a text; `a` and `b` are units. */
const shapes: Readonly<Record<string, (a: string, b: string, size: number) => string>> = {
  many: (a, b, size) => repeated(a + b, size),
  'one then many': (a, b, size) => a + repeated(b, size),
  'many then one': (a, b, size) => repeated(a, size) + b,
  'many within': (a, b, size) => `x${a}${repeated(b, size)}${a}x`,
  'many then many': (a, b, size) => repeated(a, size / 2) + repeated(b, size / 2),
  'many, a word, many': (a, b, size) => `${repeated(a, size / 2)}word${repeated(b, size / 2)}`,
  lines: (a, b, size) => repeated(`${a}${b}\n`, size),
  'lines of words': (a, b, size) => repeated(`${a}some words ${b}\n`, size),
  paragraphs: (a, b, size) => repeated(`${a}word${b}\n\n`, size),
}

export function drawPattern(dialect: Dialect, chance: Chance): Pattern {
  const unit = () =>
    Array.from({ length: 1 + chance.below(2) }, () => chance.oneOf(atoms[dialect])).join('')
  const [a, b] = [unit(), unit()]
  const shape = chance.oneOf(Object.keys(shapes))
  return patternOf(shape, a, b)
}

export function patternOf(shape: string, a: string, b: string): Pattern {
  const make = shapes[shape]
  if (make === undefined) throw new TypeError(`no shape ${shape}`)
  return { name: JSON.stringify([shape, a, b]), text: (size) => make(a, b, size) }
}

/** The same with one thing otherwise: what an expensive one may be made dearer by. */
export function mutated(pattern: Pattern, dialect: Dialect, chance: Chance): Pattern {
  const [shape = '', a = '', b = ''] = JSON.parse(pattern.name) as string[]
  const atom = chance.oneOf(atoms[dialect])
  switch (chance.below(5)) {
    case 0:
      return patternOf(chance.oneOf(Object.keys(shapes)), a, b)
    case 1:
      return patternOf(shape, a + atom, b)
    case 2:
      return patternOf(shape, a, b + atom)
    case 3:
      return patternOf(shape, atom, b)
    default:
      return patternOf(shape, a, atom)
  }
}

/** A string and a text that nearly holds it at every place. */
export interface NearMiss {
  readonly name: string
  needle(size: number): string
  haystack(size: number): string
}

export const nearMisses: readonly NearMiss[] = [
  ['a', 'b'],
  ['ab', 'c'],
  ['word ', 'x'],
  ['é', 'e'],
].flatMap(([unit = '', odd = '']) => [
  {
    name: `${unit}…${odd}…${unit}`,
    needle: (size: number) => repeated(unit, size / 2) + odd + repeated(unit, size / 2),
    haystack: (size: number) => repeated(unit, size),
  },
  {
    name: `${odd}…${unit}`,
    needle: (size: number) => odd + repeated(unit, size),
    haystack: (size: number) => repeated(unit, size),
  },
  {
    name: `${unit}…${odd}`,
    needle: (size: number) => repeated(unit, size) + odd,
    haystack: (size: number) => repeated(repeated(unit, 400) + odd + odd, size),
  },
])
