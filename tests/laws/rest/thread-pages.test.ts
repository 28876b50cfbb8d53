/**
 * Interface §2.4, pages of threads and of comments: at any budget of bytes, while others write and
 * delete, following each `next` gives every thread and every comment that was there all the time
 * exactly once, and none twice; what is counted is what is there. SEED=n repeats another seed.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Comment, PlacedThread, Thread } from '../../../core/documents/contract.ts'
import { summaryOf } from '../../../core/documents/threads/summary.ts'
import { answerWish } from '../../../core/documents/threads/thread-wish.ts'
import {
  commentPage,
  pageFor,
  type ThreadsAsked,
  threadPage,
} from '../../../rest/comments/thread-pages.ts'
import type { ActorId, BlockId, CommentId, Slug, ThreadId } from '../../../schema/ids.ts'
import type { WireThread } from '../../../schema/wire/threads.ts'
import { Chance, seedsOf } from '../../chance.ts'
import { Tally } from '../../tally.ts'

const slug = 'doc' as Slug
const ann = 'human:ann' as ActorId

/** What is said of one document, while it is read. */
class Talk {
  readonly #chance: Chance
  readonly #threads = new Map<ThreadId, Thread>()
  #numbers = 0
  #revision = 1

  constructor(chance: Chance) {
    this.#chance = chance
    for (let n = chance.between(0, 60); n > 0; n--) this.#open()
    for (let n = chance.between(0, 300); n > 0; n--) this.#reply()
  }

  get view() {
    const threads = (): PlacedThread[] =>
      [...this.#threads.values()]
        .filter(({ comments }) => comments.some(({ deleted }) => !deleted))
        .map((thread) => ({
          id: thread.id,
          thread,
          range: { from: 0, to: 9 },
          stale: [],
          quote: undefined,
          summary: summaryOf(thread, []),
        }))
        .sort((a, b) => b.thread.n - a.thread.n)
    return { slug, revision: this.#revision, threads }
  }

  /** Ids of threads, and of what is shown in each of them. */
  get shown(): Map<string, Set<string>> {
    const shown = this.view.threads().map(({ thread }): [string, Set<string>] => {
      const ids = thread.comments.filter(({ deleted }) => !deleted).map(({ id }) => id)
      return [thread.id, new Set(ids)]
    })
    return new Map(shown)
  }

  /** Somebody writes. */
  act(): void {
    for (let acts = this.#chance.below(6); acts > 0; acts--) {
      this.#revision += 1
      const act = this.#chance.oneOf([
        () => this.#open(),
        () => this.#reply(),
        () => this.#reply(),
        () => this.#remove(),
      ])
      act()
    }
  }

  #comment(): Comment {
    const n = ++this.#numbers
    const text = 'x'.repeat(this.#chance.oneOf([1, 40, 400, 4_000, 16_000]))
    return { id: `c${n}` as CommentId, n, by: ann, at: 0, revision: 1, text, depth: 0 }
  }

  #open(): void {
    const n = ++this.#numbers
    const id = `thr_${n}` as ThreadId
    const anchor = { scope: 'block', block: 'bid_x' as BlockId, words: '', isLost: false } as const
    const facts = { anchor, quote: '', lead: 0, trail: 0, changedRevision: this.#revision }
    this.#threads.set(id, { id, n, ...facts, comments: [this.#comment()] })
  }

  #reply(): void {
    // Most is said in few threads.
    const all = [...this.#threads.values()]
    const thread = all[Math.floor(all.length * this.#chance.next() ** 3)]
    // With its last comment a thread is gone for good.
    if (thread?.comments.some(({ deleted }) => !deleted) !== true) return
    this.#threads.set(thread.id, { ...thread, comments: [...thread.comments, this.#comment()] })
  }

  #remove(): void {
    const thread = this.#chance.pick([...this.#threads.values()])
    const gone = thread && this.#chance.pick(thread.comments)
    if (thread === undefined || gone === undefined) return
    const comments = thread.comments.map((one) =>
      one === gone ? { ...one, deleted: { at: 1, by: ann } } : one,
    )
    this.#threads.set(thread.id, { ...thread, comments })
  }
}

const askedBy = (next: string): ThreadsAsked =>
  Object.fromEntries(new URL(next, 'http://x').searchParams)

/** Follows all there is to follow; what others do comes between. */
function follow(talk: Talk, budget: number, tally: Tally) {
  const seen = new Map<string, Set<string>>()
  let asked: ThreadsAsked = { resolved: 'all' }
  for (;;) {
    const { view } = talk
    const told = answerWish(pageFor(asked, ann), view.threads())
    const page = threadPage(slug, told, { asked, budget })
    tally.add('pages')
    const { returned, total, next } = page.info
    assert.is(returned, page.threads.length)
    assert.is(total, view.threads().length)
    assert.ok(next === null || returned > 0, 'a page without threads leads on')
    for (const thread of page.threads) {
      assert.not(seen.has(thread.id), `${thread.id} twice`)
      seen.set(thread.id, new Set(commentsOf(talk, thread, { budget, tally })))
      tally.add('threads')
    }
    talk.act()
    if (next === null) return seen
    asked = askedBy(next)
  }
}

/** Of one thread: its window, then what was left out of it. */
function commentsOf(
  talk: Talk,
  { id, comments, comments_info: info }: WireThread,
  { budget, tally }: { readonly budget: number; readonly tally: Tally },
): string[] {
  assert.is(info.returned, comments.length)
  assert.is(info.omitted, info.total - info.returned)
  assert.ok(comments.length >= Math.min(2, info.total), 'no root and no reply')
  const seen = comments.map((comment) => comment.id)
  for (let { next } = info; next !== null; ) {
    talk.act()
    const { view } = talk
    // With its last comment a thread is gone.
    if (!view.threads().some(({ thread }) => thread.id === id)) break
    const page = commentPage(view, askedBy(next), budget)
    tally.add('pages of comments')
    seen.push(...page.comments.map((comment) => comment.id))
    ;({ next } = page.comments_info)
  }
  assert.is(new Set(seen).size, seen.length, `a comment twice in ${id}`)
  tally.add('comments', seen.length)
  return seen
}

for (const seed of seedsOf(1, process.env['LONG'] === undefined ? 40 : 2_000)) {
  test(`seed ${seed}: pages add up`, () => {
    const chance = new Chance(seed)
    const tally = new Tally()
    const talk = new Talk(chance.fork())
    const budget = chance.oneOf([1, 700, 3_000, 20_000, 64 * 1024])
    const before = talk.shown
    const seen = follow(talk, budget, tally)
    const after = talk.shown
    for (const [thread, comments] of before) {
      if (!after.has(thread)) continue
      assert.ok(seen.has(thread), `${thread} is left out`)
      for (const comment of comments) {
        const stands = after.get(thread)?.has(comment)
        assert.ok(!stands || seen.get(thread)?.has(comment), `${comment} is left out`)
      }
    }
    all.addAll(tally)
  })
}

const all = new Tally()

const least = process.env['SEED'] === undefined ? { pages: 40, 'pages of comments': 20 } : {}

test('all of it', () => all.tell('all pages of threads', least))

test.run()
