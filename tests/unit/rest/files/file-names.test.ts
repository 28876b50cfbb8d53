/** Names of files in bundles (interface §4.11): safe, and none twice. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FileNames, fileName } from '../../../../rest/files/file-names.ts'

test('what leads elsewhere, or is no name, becomes one', () => {
  for (const [text, expected] of [
    ['../../etc/passwd', 'etc passwd'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
    ['[[x]] #y ^z', 'x y z'],
    ['...', 'id'],
    [' \u202E\n ', 'id'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['Ende. ', 'Ende'],
    ['\u{1f600} ok', '\u{1f600} ok'],
    ['\u{1f600}'.repeat(100), '\u{1f600}'.repeat(50)],
    ['nul', 'nul (id)'],
    ['Con.notes', 'Con.notes (id)'],
    ['com\u00b9', 'com\u00b9 (id)'],
    ['console', 'console'],
    [
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} Family',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} Family',
    ],
    ['\u0646\u0645\u06cc\u200c\u062e\u0648', '\u0646\u0645\u06cc\u200c\u062e\u0648'],
    ['cafe\u0301', 'caf\u00e9'],
    ['a\u200bb\ufeff', 'a b'],
  ] as const) {
    assert.is(fileName(text, 'id'), expected)
  }
})

test('a name that is taken in its folder, in whatever case, is counted on', () => {
  const names = new FileNames()
  const taken = ['A', 'a', 'A (2)', 'A', 'B'].map((name) => names.take('f/', name))
  assert.equal(taken, ['f/A.md', 'f/a (2).md', 'f/A (2) (2).md', 'f/A (3).md', 'f/B.md'])
  assert.is(names.take('', 'A'), 'A.md')
  assert.is(names.take('', '\u00e9'), '\u00e9.md')
  assert.is(names.take('', 'e\u0301'), 'e\u0301 (2).md')
})

test.run()
