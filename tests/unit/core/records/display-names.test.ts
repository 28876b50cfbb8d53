/**
 * What people and agents may call themselves (interface §4.7, extensions §3): honest names of every
 * script pass as they are, what cannot be seen, hides something or covers its neighbours does not.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { displayNameFrom } from '../../../../core/records/display-name.ts'
import { Refusal } from '../../../../schema/errors.ts'
import { limits } from '../../../../schema/limits.ts'
import { leastOf, pace } from '../../../pace.ts'

const nfd = (text: string) => text.normalize('NFD')

const honest: readonly string[] = [
  ...['Ada', 'Ada Lovelace', 'O’Neill-Müller, jr.', 'x', '7', '4chan', '-', '?', 'a_b', 'R2-D2'],
  ...['Nguyễn Thị Ánh', nfd('Nguyễn Thị Ánh'), nfd('Đặng Thuỵ'), nfd('Åsa Lindström'), 'Ǻ'],
  // Hindi, Marathi, Bengali, Tamil, Malayalam with an old chillu, Sinhala, Nepali with a joiner.
  ...[
    'प्रियंका शर्मा',
    'क्षितिज',
    'কৃষ্ণা',
    'ஸ்ரீநிவாசன்',
    'രാജന്\u200d',
    'ශ්\u200dරී',
    'गर्\u200dयो',
    'हिन्\u200cदी',
  ],
  // Thai, Lao, Khmer, Burmese with five signs on a letter, Tibetan.
  ...['น้ำฝน ปั้นจั่น', 'ນ້ຳ', 'ស្រ្តី', 'မျှော်', 'လျှော့', 'རྫོགས་ཆེན', 'བསྒྲུབས'],
  // Arabic with harakat, Persian with a non-joiner, Urdu, Hebrew with points and cantillation.
  ...['مُحَمَّد', 'ٱللّٰه', 'می\u200cخواهم', 'شیخ', 'שָּׁ֔לוֹם', 'בְּרֵאשִׁית'],
  ...[
    '山田 太郎',
    '山田\u3000太郎',
    '葛\u{e0100}城',
    '김철수',
    nfd('김철수'),
    '王小明',
    'ᠮᠣᠩᠭᠣᠯ\u180b',
    'Ωμέγα',
    'Юлия',
  ],
  ...[
    '👩\u200d🚀',
    'Ada 👩🏽\u200d💻',
    '👨\u200d👩\u200d👧\u200d👦',
    '❤️',
    '☃︎',
    '🏳️\u200d🌈',
    '🏴\u200d☠️',
    '🇩🇪',
    '1️⃣',
    '#️⃣ 2️⃣',
  ],
  ...[
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '👁️\u200d🗨️',
    '©️ Ada',
    '🧑🏿\u200d🤝\u200d🧑🏻',
  ],
  ...['\u{1f600}'.repeat(80), `${'a\u0301\u0302\u0303\u0304'.repeat(16)}`],
]
for (const name of honest) {
  test(`interface §4.7: ${name} is a name`, () => assert.is(displayNameFrom(` ${name} `), name))
}

const hidden = (words: string): string =>
  [...words].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

const refusedNames: readonly (readonly [what: string, names: readonly string[]])[] = [
  [
    'invisible alone',
    [
      ...['', ' ', '\u00a0', '\u3000', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad'],
      ...['\u034f', '\u061c', '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u17b4', '\u180e'],
      ...['\u180b', '\ufe0f', '\u{e0100}', '\u2061\u2062', '\u{1d159}', '\u{1d173}', '\ufffc'],
      ...['\u3164\u3164 \u3164', '\u200b\u200b\u200b', '\u2800\u2800', '\u{1bca0}', '\u{e0020}'],
    ],
  ],
  ['a mark alone', ['\u0301', '\u20e3', '\u0e31', '\u0301Ada', '\u200d\u0301']],
  [
    'with a direction turned',
    [
      ...['\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u061c'],
      ...['\u2066', '\u2067', '\u2068', '\u2069', '\u206a', '\u206f'],
    ].map((control) => `Ada${control}nosrev`),
  ],
  [
    'with something hidden',
    [
      ...[
        `Ada${hidden('ignore all')}`,
        `\u{1f3f4}${hidden('gbeng')}`,
        `\u{1f3f4}${hidden('deby')}\u{e007f}`,
      ],
      ...[
        'A\u200bda',
        'A\u200dda',
        'A\u200cda',
        'Ada\u00ad',
        'A\ufe0fda',
        'Ada\u3164',
        'Ada1\ufe0f',
      ],
      ...[
        'Ada\u{e0100}',
        'A\u2063da',
        'Ada\ufeffB',
        'A\ufff9b\ufffac\ufffb',
        'Ada\ufdd0',
        'राम\u200c',
      ],
      ...['👩\u200d', '\u200d👩', '👩\u200d\u200d🚀', '❤\ufe0f\ufe0f', 'म\u200c\u200cम'],
    ],
  ],
  [
    'in a pile',
    [
      ...[
        'a\u0300\u0301\u0302\u0303\u0304',
        `Z${'\u0315'.repeat(40)}`,
        'Ada x\u20dd\u20de\u20df\u20e0\u20e2',
      ],
      ...[`é${'\u0301'.repeat(5)}`, 'क\u0951\u200c\u0951\u200c\u0951\u200c\u0951\u200c\u0951'],
    ],
  ],
  ['of several lines', ['A\nB', 'A\rB', 'A\u2028B', 'A\u2029B', 'A\u0085B', 'A\tB', 'A\u0000B']],
  ['too long', ['a'.repeat(81), '\u{1f600}'.repeat(81), 'a'.repeat(1_000_000)]],
  ['half a pair', ['\ud800', 'a\udc00']],
]
for (const [what, names] of refusedNames) {
  for (const name of names) {
    test(`interface §4.7: a name ${what} is refused: ${JSON.stringify(name).slice(0, 40)}`, () => {
      try {
        displayNameFrom(name, '/name')
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        assert.is(error.code, 'INVALID_REQUEST')
        const [issue] = error.details['issues'] as { path: string; message: string }[]
        return assert.is(issue?.path, '/name')
      }
      assert.unreachable('it was taken')
    })
  }
}

test('no name takes long to judge', () => {
  const units = [
    'a\u0301',
    '\u200d',
    '👩\u200d',
    '\u{1f3f4}\u{e0067}\u{e0062}',
    'म\u200c',
    '1\ufe0f',
  ]
  const worst = units.map((unit) => unit.repeat(limits.bodyMaxBytes.text / 64 / unit.length))
  const short = units.map((unit) => [...unit.repeat(80)].slice(0, 80).join(''))
  const judge = () => {
    for (const name of [...worst, ...short]) {
      try {
        displayNameFrom(name)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }
  const took = leastOf(5, judge)
  assert.ok(took < 20 * pace(), `${took} ms`)
})

test.run()
