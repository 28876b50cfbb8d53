/** What others suggest as it is drawn: once, and no longer than it waits for somebody. */
import { DecorationSet } from 'prosemirror-view'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documentSchema } from '../../../../schema/document-schema.ts'
import { parseMarkdown } from '../../../../schema/markdown/parser.ts'
import type { Thread } from '../../../../web/api/threads.ts'
import type { AuthorBook } from '../../../../web/authors/author-book.ts'
import { createStore } from '../../../../web/platform/store.ts'
import { SuggestionMarks } from '../../../../web/suggesting/suggestion-marks.ts'

const block = 'bid_aaaaaaaaaaaaaaaa'
const paragraph = parseMarkdown('The quick fox.\n').child(0)
const doc = documentSchema.node('doc', null, [
  paragraph.type.create({ ...paragraph.attrs, id: block }, paragraph.content),
])

const book: AuthorBook = {
  author: (id) => ({ id, name: 'Quill', isHuman: false, hue: 1 }),
  hueOf: () => 1,
  changes: createStore(0),
  close: () => {},
}

function thread(status: 'pending' | 'accepted'): Thread {
  const suggestion = { kind: 'replace', old_string: 'quick', new_string: 'slow', status } as const
  const comment = {
    id: 'one',
    by: 'ai:quill',
    at: '2026-11-24T12:00:00.000Z',
    text: '',
    suggestion: { ...suggestion, created_against_revision: 1 },
  }
  return {
    id: 'thr_one',
    block_id: block,
    range: { from: 4, to: 9 },
    quote: 'quick',
    whole_block: false,
    orphaned: false,
    resolved: false,
    suggestions: { pending: 1, stale: 0 },
    comments: [comment],
    comments_info: { returned: 1, total: 1, omitted: 0, next: null },
    place: {
      from: { block_id: block, offset: 4 },
      to: { block_id: block, offset: 9 },
      words: 'quick',
    },
  }
}

test('what was decided while all is to be drawn anew is drawn no more', () => {
  const others = new SuggestionMarks(book)
  const look = (set: DecorationSet, threads: readonly Thread[]) =>
    others.look(set, { doc, threads, except: new Set() }).set
  const drawn = look(DecorationSet.empty, [thread('pending')])
  assert.is(drawn.find().length, 2, 'struck, and put in')
  others.forget()
  assert.is(look(drawn, [thread('accepted')]).find().length, 0)
  others.forget()
  assert.is(look(drawn, [thread('pending')]).find().length, 2, 'and never twice')
})

test.run()
