/** What is kept of threads (interface §2.5): a reaction writes no words again; all is read back. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Comment, Thread } from '../../../../../core/documents/threads/thread.ts'
import { commentRecord, threadsOf } from '../../../../../core/documents/threads/thread.ts'
import { Threads } from '../../../../../core/documents/threads/threads.ts'
import type { ActorId, BlockId, CommentId, ThreadId } from '../../../../../schema/ids.ts'

type Path = readonly (string | number)[]

function kept() {
  const records = new Map<string, { readonly path: Path; readonly value: Uint8Array }>()
  let written = 0
  const writer = {
    put(path: Path, value: Uint8Array) {
      records.set(path.join('/'), { path, value })
      written += value.length
    },
    delete: (path: Path) => void records.delete(path.join('/')),
  }
  const read = () => threadsOf([...records.values()] as Parameters<typeof threadsOf>[0])
  const bytesOf = (work: () => void): number => {
    written = 0
    work()
    return written
  }
  return { records, writer, read, bytesOf }
}

const ada = 'human:ada' as ActorId
const comment: Comment = {
  id: 'c1' as CommentId,
  n: 2,
  by: ada,
  at: 1,
  revision: 2,
  text: 'word '.repeat(3_000),
  depth: 0,
}
const thread: Thread = {
  id: 'thr_1' as ThreadId,
  n: 1,
  anchor: { scope: 'block', block: 'bid_1' as BlockId, words: 'One', isLost: false },
  quote: 'One',
  lead: 0,
  trail: 0,
  changedRevision: 2,
  comments: [comment],
}
const withOne = (changed: Partial<Comment>, of: Thread = thread): Thread => ({
  ...of,
  comments: of.comments.map((one) => ({ ...one, ...changed })),
})

test('a reaction writes itself; reactions and words are read back, whatever came last', () => {
  const { writer, read, bytesOf } = kept()
  const threads = new Threads({} as never)
  threads.put(thread, writer)
  const loved = withOne({ plusOnes: [ada], sentiments: [[ada, 'curious']] })
  assert.ok(bytesOf(() => threads.put(loved, writer)) < 1_000)
  assert.equal(read(), [loved])
  const edited = withOne({ text: 'Short.', editedAt: 3 }, loved)
  threads.put(edited, writer)
  assert.equal(read(), [edited])
  const before = threads.bytes
  const taken = withOne({ plusOnes: [] }, edited)
  threads.put(taken, writer)
  assert.equal(read(), [taken])
  assert.ok(threads.bytes < before)
  assert.is(threads.commentCount, 1)
})

test('reactions that stand in the record of an older comment stay when it is edited', () => {
  const { records, writer, read } = kept()
  const loved = withOne({ plusOnes: [ada] })
  new Threads({} as never).put(loved, writer)
  const { id: _, ...facts } = loved.comments[0] as Comment
  records.delete('thr_1/c1/reactions')
  writer.put(['thr_1', 'c1'], Buffer.from(JSON.stringify(facts)))
  assert.equal(read(), [loved])
  const threads = new Threads({} as never)
  threads.load([...records.values()] as Parameters<Threads['load']>[0])
  assert.is(threads.commentCount, 1)
  const edited = withOne({ text: 'Short.', editedAt: 3 }, loved)
  threads.put(edited, writer)
  assert.equal(read(), [edited])
  assert.not.match(Buffer.from(commentRecord(edited.comments[0] as Comment)).toString(), /ada.*ada/)
})

test.run()
