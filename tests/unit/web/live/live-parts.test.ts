/** The parts of the live session that need no browser: what is counted, said and kept aside. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { fragmentName } from '../../../../schema/document-schema.ts'
import { newGuestName } from '../../../../web/live/guest-name.ts'
import { lostBlocks, plainText } from '../../../../web/live/lost-text.ts'
import { closeOutcomeOf } from '../../../../web/live/refusals.ts'
import { type SaveFacts, type SaveState, saveStateOf } from '../../../../web/live/save-state.ts'
import { Unsaved } from '../../../../web/live/unsaved.ts'

/** Changes of client 1, one clock each. */
function changed(unsaved: Unsaved, count: number): void {
  const first = (unsaved.changes.at(-1)?.clock ?? -1) + 1
  for (let n = 0; n < count; n++) unsaved.add({ client: 1, clock: first + n, at: first + n })
}

test('each message that is acknowledged takes off what was there when it left', () => {
  const unsaved = new Unsaved()
  unsaved.opened()
  unsaved.sent()
  changed(unsaved, 1)
  unsaved.sent()
  changed(unsaved, 1)
  unsaved.sent()
  assert.is(unsaved.acknowledged(1), 0, 'the answer to step 1 carried nothing')
  assert.is(unsaved.acknowledged(2), 1)
  assert.is(unsaved.count, 1)
  assert.is(unsaved.acknowledged(3), 1)
  assert.is(unsaved.oldest, undefined)
})

test('a new socket acknowledges nothing of the last one, its first message carries all', () => {
  const unsaved = new Unsaved()
  unsaved.opened()
  unsaved.sent()
  for (let n = 0; n < 3; n++) {
    changed(unsaved, 1)
    unsaved.sent()
  }
  unsaved.acknowledged(2)
  unsaved.opened()
  changed(unsaved, 2)
  assert.is(unsaved.acknowledged(4), 0, 'a late word of the last socket')
  unsaved.sent()
  changed(unsaved, 1)
  unsaved.sent()
  assert.is(unsaved.acknowledged(1), 4)
  assert.is(unsaved.count, 1)
  assert.equal([...unsaved.starts()], [[1, 5]])
})

test('a message that had to wait acknowledges what was made before it', () => {
  const unsaved = new Unsaved()
  unsaved.opened()
  changed(unsaved, 1)
  const { made } = unsaved
  changed(unsaved, 1)
  unsaved.sent(made)
  unsaved.sent()
  assert.is(unsaved.acknowledged(1), 1)
  assert.is(unsaved.acknowledged(2), 1)
})

test('an answer in pieces acknowledges nothing before its last', () => {
  const unsaved = new Unsaved()
  changed(unsaved, 2)
  unsaved.opened()
  unsaved.sentPiece()
  unsaved.sentPiece()
  unsaved.sent()
  assert.is(unsaved.acknowledged(2), 0)
  assert.is(unsaved.acknowledged(3), 2)
})

const facts: SaveFacts = {
  ended: undefined,
  ready: true,
  link: 'synced',
  changes: 0,
  isLate: false,
  kept: 0,
  isKeepingLate: false,
  outgoing: {},
  signInEnded: false,
  unnamed: false,
  readOnly: undefined,
}
const cases: readonly (readonly [string, Partial<SaveFacts>, SaveState])[] = [
  ['nothing to say', {}, { kind: 'saved' }],
  ['a change just made', { changes: 1 }, { kind: 'saved' }],
  ['a change that waits', { changes: 2, isLate: true }, { kind: 'saving', changes: 2 }],
  ['no text yet', { ready: false, link: 'connecting' }, { kind: 'loading' }],
  [
    'a kept copy with changes, before any answer',
    { link: 'connecting', changes: 2, kept: 2, isLate: true },
    { kind: 'reconnecting', changes: 2, kept: 2, unkept: 0 },
  ],
  [
    'the line lost',
    { link: 'lost', changes: 1, kept: 1 },
    { kind: 'reconnecting', changes: 1, kept: 1, unkept: 0 },
  ],
  [
    'away, on a device that keeps nothing',
    { link: 'away', changes: 3, isKeepingLate: true },
    { kind: 'offline', changes: 3, kept: 0, unkept: 3 },
  ],
  [
    'away, while the last change is being written to this device',
    { link: 'away', changes: 3, kept: 2 },
    { kind: 'offline', changes: 3, kept: 2, unkept: 0 },
  ],
  [
    'away, where the device stopped writing',
    { link: 'away', changes: 3, kept: 2, isKeepingLate: true },
    { kind: 'offline', changes: 3, kept: 2, unkept: 1 },
  ],
  [
    'away, because a proxy asks to sign in',
    { link: 'away', signInEnded: true },
    { kind: 'offline', changes: 0, kept: 0, unkept: 0, signInEnded: true },
  ],
  [
    'a suggestion on its way',
    { outgoing: { suggestion: 1 } },
    { kind: 'saved', unsent: { suggestion: 1 } },
  ],
  ['written without a name', { unnamed: true, changes: 1 }, { kind: 'unnamed', changes: 1 }],
  ['reading without a name', { unnamed: true }, { kind: 'saved' }],
  [
    'away comes before a name',
    { unnamed: true, changes: 1, kept: 1, link: 'away' },
    { kind: 'offline', changes: 1, kept: 1, unkept: 0 },
  ],
  [
    'no socket opens and HTTP answers',
    { link: 'polled', changes: 2, kept: 2, unnamed: true },
    { kind: 'polling', changes: 2, kept: 2, unkept: 0 },
  ],
  ['a reader', { readOnly: 'viewer' }, { kind: 'read-only', because: 'viewer' }],
  [
    'a reader away',
    { readOnly: 'viewer', link: 'away' },
    { kind: 'offline', changes: 0, kept: 0, unkept: 0 },
  ],
  [
    'the end comes before everything',
    { ended: 'archived', link: 'away', changes: 1 },
    { kind: 'ended', because: 'archived' },
  ],
]
for (const [name, known, said] of cases) {
  test(`the state line: ${name}`, () => assert.equal(saveStateOf({ ...facts, ...known }), said))
}

function paragraph(ydoc: Y.Doc, text: string): Y.XmlText {
  const element = new Y.XmlElement('paragraph')
  const words = new Y.XmlText(text)
  element.insert(0, [words])
  ydoc.getXmlFragment(fragmentName).push([element])
  return words
}

test('lost text is what the service has not got, in its block', () => {
  const mine = new Y.Doc()
  const first = paragraph(mine, 'The service has this.')
  paragraph(mine, 'And this.')
  const service = new Y.Doc()
  Y.applyUpdate(service, Y.encodeStateAsUpdate(mine))
  first.insert(11, ' never')
  paragraph(mine, 'A block of mine.')
  first.delete(0, 4)
  const known = Y.decodeStateVector(Y.encodeStateVector(service))
  const blocks = lostBlocks(mine.getXmlFragment(fragmentName), (client) => known.get(client) ?? 0)
  assert.is(plainText(blocks), 'service never has this.\n\nA block of mine.')
  const lost = blocks.map((runs) => runs.filter(({ isLost }) => isLost).map(({ text }) => text))
  assert.equal(lost, [[' never'], ['A block of mine.']])
})

test('a copy that lacks nothing has no lost text', () => {
  const mine = new Y.Doc()
  paragraph(mine, 'Words.')
  assert.equal(
    lostBlocks(mine.getXmlFragment(fragmentName), () => Infinity),
    [],
  )
})

test('only closings that reconnecting cannot mend put a copy away', () => {
  const kinds = [4401, 4403, 4404, 4409, 4412, 4413, 4423, 4426].map((code) =>
    closeOutcomeOf(code, ''),
  )
  assert.equal(
    kinds.map(({ kind }) => kind),
    ['come back', 'replace', 'end', 'replace', 'come back', 'replace', 'end', 'end'],
  )
  assert.equal(closeOutcomeOf(4403, 'DOC_READ_ONLY'), { kind: 'replace', because: 'locked' })
})

test('guests have names that a person could have', () => {
  for (let n = 0; n < 50; n++) assert.match(newGuestName(), /^[A-Z][a-z]+ [A-Z][a-z]+$/)
})

test.run()
