/** What is read of files that are dropped into a text. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textIn } from '../../../../../web/editor/clipboard/file-text.ts'

const words = '# Größe 👍\n\nwörter\n'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const cases: readonly (readonly [name: string, bytes: Uint8Array, text: string | undefined])[] = [
  ['UTF-8', Buffer.from(words), words],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${words}`), words],
  ['UTF-16, little endian', utf16(words), words],
  ['UTF-16, big endian', utf16(words).swap16(), words],
  ['line ends of Windows', Buffer.from('a\r\nb\rc'), 'a\nb\nc'],
  ['nothing', Buffer.alloc(0), ''],
  ['Latin-1', Buffer.from('Größe', 'latin1'), undefined],
  ['UTF-16 without a mark', Buffer.from(words, 'utf16le'), undefined],
  ['half a character in UTF-16', utf16(words).subarray(0, -1), undefined],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), undefined],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]), undefined],
]
for (const [name, bytes, text] of cases) {
  test(`a file of ${name} is ${text === undefined ? 'refused' : 'read'}`, () =>
    assert.is(textIn(bytes), text))
}

test.run()
