/** The margin's pure parts: where cards stand, what is unread, which are shown, what is kept. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Comment, Thread } from '../../../../web/api/threads.ts'
import { type CardWish, cardTops } from '../../../../web/threads/card-layout.ts'
import { draftOf, dropDraft, keepDraft } from '../../../../web/threads/drafts.ts'
import { soughtIn } from '../../../../web/threads/mentions.ts'
import {
  firstMarks,
  isUnread,
  keepMarks,
  readMarks,
  withRead,
} from '../../../../web/threads/read-marks.ts'
import { inOrder, isShownBy, speakersIn } from '../../../../web/threads/shown.ts'
import { standingOf } from '../../../../web/threads/words.ts'

const stored = new Map<string, string>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
}
const before = Object.getOwnPropertyDescriptor(globalThis, 'window')
test.before(() => {
  Object.defineProperty(globalThis, 'window', {
    configurable: true,
    value: { localStorage: storage },
  })
})
test.before.each(() => stored.clear())
test.after(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, 'window')
  else Object.defineProperty(globalThis, 'window', before)
})

const wishes = (...all: readonly (readonly [top: number, height: number])[]): CardWish[] =>
  all.map(([top, height]) => ({ top, height }))

test('cards stand at their lines while there is room', () => {
  assert.equal(cardTops(wishes([0, 50], [100, 50], [300, 50])), [0, 100, 300])
})

test('pushed apart they do not overlap', () => {
  assert.equal(cardTops(wishes([0, 50], [10, 50], [20, 50], [400, 50])), [0, 58, 116, 400])
})

test('the open one is at its line; those before make way upwards, those behind downwards', () => {
  const all = wishes([100, 50], [120, 50], [130, 50], [140, 50])
  assert.equal(cardTops(all, 2), [14, 72, 130, 188])
  assert.equal(cardTops(all, 0), [100, 158, 216, 274])
})

test('those before stay where they are if there is room, or leave the page', () => {
  assert.equal(cardTops(wishes([0, 20], [200, 50], [210, 50]), 2), [0, 152, 210])
  assert.equal(cardTops(wishes([0, 50], [10, 50]), 1), [-48, 10])
})

test('random cards: in order, never over each other, the open one at its line', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 300; round++) {
    const all = Array.from({ length: 1 + random(12) }, () => ({
      top: random(600),
      height: 20 + random(120),
    })).sort((a, b) => a.top - b.top)
    const open = random(2) === 0 ? undefined : random(all.length)
    const tops = cardTops(all, open)
    for (const [index, { height }] of all.entries()) {
      const next = tops[index + 1]
      assert.ok(next === undefined || (tops[index] ?? 0) + height + 8 <= next)
    }
    if (open !== undefined) assert.is(tops[open], all[open]?.top)
  }
})

const comment = (by: string, at: string, more: Partial<Comment> = {}): Comment => ({
  id: `${by} ${at}`,
  by,
  at,
  text: 'x',
  ...more,
})

const thread = (id: string, comments: readonly Comment[], more: Partial<Thread> = {}): Thread => ({
  id,
  block_id: null,
  range: { from: 0, to: 0 },
  quote: null,
  whole_block: false,
  orphaned: false,
  resolved: false,
  suggestions: { pending: 0, stale: 0 },
  comments: [...comments],
  comments_info: { returned: 0, total: comments.length, omitted: 0, next: null },
  place: null,
  ...more,
})

const me = 'human:ada'
const which = { actor: me, slug: 'plan' }

test('what was there at the first visit is read; what others say later is not, until it was', () => {
  const old = thread('old', [comment('ai:quill', '2026-01-01')])
  const marks = firstMarks(which, [old])
  assert.not(isUnread(old, marks))
  const answered = thread('old', [...old.comments, comment('ai:quill', '2026-01-02')])
  assert.ok(isUnread(answered, marks))
  const read = withRead(marks, answered)
  assert.not(isUnread(answered, read))
  keepMarks(read)
  assert.equal(readMarks(which), read)
  assert.is(readMarks({ ...which, actor: 'human:bob' }), undefined)
})

test('one’s own words are not unread, and deleted ones neither', () => {
  const marks = { ...which, since: '2026-01-01', threads: {} }
  assert.not(isUnread(thread('a', [comment(me, '2026-01-02')]), marks))
  const gone = comment('ai:quill', '2026-01-02', { deleted: true })
  assert.not(isUnread(thread('b', [comment(me, '2026-01-01'), gone]), marks))
})

test('filters: open, resolved, mine and those I am meant in, by somebody', () => {
  const all = [
    thread('own', [comment(me, '1')]),
    thread('meant', [comment('ai:quill', '2', { mentions: [me] })]),
    thread('other', [comment('ai:quill', '3')]),
    thread('done', [comment(me, '4')], { resolved: true }),
  ]
  const shown = (filter: Parameters<typeof isShownBy>[0]) =>
    all.filter((one) => isShownBy(filter, one, me)).map(({ id }) => id)
  assert.equal(shown({ kind: 'open' }), ['own', 'meant', 'other'])
  assert.equal(shown({ kind: 'resolved' }), ['done'])
  assert.equal(shown({ kind: 'mine' }), ['own', 'meant'])
  assert.equal(shown({ kind: 'by', actor: 'ai:quill' }), ['meant', 'other'])
  assert.equal(speakersIn(all), [me, 'ai:quill'])
  const ordered = inOrder(all, ['other', 'own']).map(({ id }) => id)
  assert.equal(ordered, ['meant', 'done', 'other', 'own'])
})

test('drafts are kept by account, document and what they answer, until they are dropped', () => {
  const draft = { ...which, of: 'thr_1', text: 'Half a', key: 'k' }
  keepDraft(draft)
  assert.equal(draftOf({ ...which, of: 'thr_1' }), draft)
  assert.is(draftOf({ ...which, of: 'thr_2' }), undefined)
  assert.is(draftOf({ ...which, actor: 'human:bob', of: 'thr_1' }), undefined)
  keepDraft({ ...draft, text: 'Half a thought' })
  assert.is(draftOf({ ...which, of: 'thr_1' })?.text, 'Half a thought')
  dropDraft({ ...which, of: 'thr_1' })
  assert.is(draftOf({ ...which, of: 'thr_1' }), undefined)
})

test('the newest drafts are kept, and what is no draft is not read', () => {
  for (let n = 0; n < 60; n++) keepDraft({ ...which, of: `thr_${n}`, text: 'x', key: 'k' })
  assert.is(draftOf({ ...which, of: 'thr_0' }), undefined)
  assert.is(draftOf({ ...which, of: 'thr_59' })?.text, 'x')
  stored.set('comment-drafts', '[{"slug":1}]')
  assert.is(draftOf({ ...which, of: 'thr_59' }), undefined)
})

test('an @ at the beginning of a word asks whom; within one it does not', () => {
  assert.is(soughtIn('ask @qu'), 'qu')
  assert.is(soughtIn('@'), '')
  assert.is(soughtIn('(@Zoë'), 'Zoë')
  assert.is(soughtIn('mail@quill'), undefined)
  assert.is(soughtIn('@quill said'), undefined)
})

test('who may what: by role, flags and connection', () => {
  const saved = { kind: 'saved' } as const
  const facts = { role: 'editor', flags: undefined, state: saved, canWrite: true } as const
  const may = (more: Partial<Parameters<typeof standingOf>[0]>) => {
    const { mayComment, mayReject, mayAccept } = standingOf({ ...facts, ...more })
    return [mayComment, mayReject, mayAccept]
  }
  assert.equal(may({}), [true, true, true])
  assert.equal(may({ canWrite: false }), [true, true, false])
  assert.equal(may({ role: 'commenter', canWrite: false }), [true, false, false])
  assert.equal(may({ role: 'viewer' }), [false, false, false])
  assert.equal(may({ flags: { read_only: false, comments_disabled: true } }), [false, false, false])
  const ended = { kind: 'ended', because: 'archived' } as const
  assert.equal(may({ state: ended }), [false, false, false])
  const offline = { kind: 'offline', changes: 0, kept: 0, unkept: 0 } as const
  const away = (state: typeof offline & { readonly signInEnded?: true }) =>
    standingOf({ ...facts, state }).away ?? ''
  assert.match(away(offline), /^You are offline/)
  assert.match(away({ ...offline, signInEnded: true }), /^Your sign-in at the proxy has ended/)
})

test.run()
