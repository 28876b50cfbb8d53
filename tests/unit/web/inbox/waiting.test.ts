/** What of an inbox waits for its person, and up to where all is done. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { InboxEntry } from '../../../../web/api/inbox.ts'
import { addressOf, doneUpTo, waitingOf } from '../../../../web/inbox/waiting.ts'

const entry = (id: number, event: string, more: Partial<InboxEntry> = {}): InboxEntry => ({
  id: String(id),
  event,
  at: '2026-01-01T00:00:00.000Z',
  document: { id: 'plan', title: 'Plan', apiUrl: '/docs/plan' },
  actor: { actor_id: 'ai:quill', handle: 'quill', name: 'Quill' },
  thread_id: 'thr_1',
  comment: null,
  quote: null,
  block: null,
  notify: null,
  count: 1,
  ...more,
})

const decision = { notify: { kind: 'decision', line: 'x — y' } } as const
const suggested = (status: 'pending' | 'accepted'): Partial<InboxEntry> => ({
  comment: {
    id: status,
    by: 'ai:quill',
    at: '',
    text: '',
    suggestion: {
      kind: 'replace',
      old_string: 'a',
      new_string: 'b',
      status,
      created_against_revision: 1,
    },
  },
})

const ids = (entries: readonly InboxEntry[]) => entries.map(({ id }) => id).join()
const fresh = { seen: 0, done: [] }

test('who is meant or asked, or has a suggestion to decide; nothing that is only news', () => {
  const all = [
    entry(1, 'comment.created'),
    entry(2, 'mention'),
    entry(3, 'doc.review_requested', decision),
    entry(4, 'comment.created', suggested('pending')),
    entry(5, 'comment.created', suggested('accepted')),
    entry(6, 'thread.resolved'),
  ]
  assert.is(ids(waitingOf(all, fresh)), '4,3,2')
})

test('a comment that means and asks somebody is one thing to do', () => {
  const { comment } = suggested('accepted')
  const said = comment === undefined ? {} : { comment }
  const all = [
    entry(1, 'mention', said),
    entry(2, 'doc.review_requested', { ...said, ...decision }),
  ]
  assert.is(ids(waitingOf(all, fresh)), '2')
})

test('what was seen does not wait any more, but for what is asked', () => {
  const all = [entry(1, 'mention'), entry(2, 'mention', decision), entry(3, 'mention')]
  assert.is(ids(waitingOf(all, { seen: 2, done: [] })), '3,2')
  assert.is(ids(waitingOf(all, { seen: 3, done: ['2'] })), '')
})

test('all is done up to the first that was not seen, or still waits', () => {
  const all = [entry(1, 'mention'), entry(2, 'comment.created'), entry(3, 'mention', decision)]
  assert.is(doneUpTo(all, fresh), undefined)
  assert.is(doneUpTo(all, { seen: 1, done: [] }), '1')
  assert.is(doneUpTo(all, { seen: 9, done: [] }), '2')
  assert.is(doneUpTo(all, { seen: 9, done: ['3'] }), '3')
  assert.is(doneUpTo(all, { seen: 0, done: ['3'] }), undefined)
})

test('extensions §6: what became of an agent’s webhook waits, and leads to the list of agents', () => {
  const failing = entry(1, 'webhook.failing', { document: null, thread_id: null })
  const recovered = entry(2, 'webhook.recovered', { document: null, thread_id: null })
  const nothing = { seen: 0, done: [] }
  assert.equal(waitingOf([failing, recovered], nothing), [recovered, failing])
  assert.is(addressOf(failing), '/account#agents')
  assert.is(addressOf(entry(3, 'mention')), '/d/plan')
  assert.is(doneUpTo([failing, recovered], { seen: 2, done: [] }), '2')
})

test.run()
