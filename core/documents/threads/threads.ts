/**
 * The threads of one document: what is said, and where the words stand that it is said of. Follows
 * each write, edits and live typing alike, in the commit of that write; a thread whose words are
 * gone is orphaned and looks for them whenever its block changes or comes back. Invariants: no
 * write is refused for a thread's sake here; reading changes none; a value once shown never
 * changes. What may be said, and by whom, is decided by whoever calls.
 */
import type { BlockId, CommentId, ThreadId } from '../../../schema/ids.ts'
import { addTo, removeFrom } from '../../../schema/keyed-sets.ts'
import type {
  InsertedContent,
  Participant,
  RecordWriter,
  StoredRecord,
  Write,
} from '../../commit/participant.ts'
import { type Anchor, blocksOf, isStoredAlike } from './anchor.ts'
import { Anchoring, type AnchoringHost } from './anchoring.ts'
import { RecentMentions } from './recent-mentions.ts'
import {
  type Comment,
  commentRecord,
  isStanding,
  reactionsPath,
  reactionsRecord,
  type Thread,
  threadBytes,
  threadRecord,
  threadsOf,
} from './thread.ts'

/** Text in which a revert looks for words of orphaned threads. */
const wordsBroughtMaxChars = 16 * 1024 * 1024

/** What a write did to the anchors of threads; each is named once. */
export type Fates = {
  /** Another block has the words now. */
  readonly moved: readonly ThreadId[]
  /** A part of the words is left. */
  readonly degraded: readonly ThreadId[]
  readonly orphaned: readonly ThreadId[]
}

const hasReactions = ({ sentiments, plusOnes }: Comment): boolean =>
  sentiments !== undefined || plusOnes !== undefined

const isFeltAlike = (a: Comment, b: Comment): boolean =>
  a.sentiments === b.sentiments && a.plusOnes === b.plusOnes

/** A changed comment has all that it does not change from the one before. */
const isSaidAlike = (a: Comment, b: Comment): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (name) =>
      name === 'sentiments' ||
      name === 'plusOnes' ||
      a[name as keyof Comment] === b[name as keyof Comment],
  )

/** Threads that were orphaned of late look for their words in every block that changes. */
const seekingMax = 64

export class Threads implements Participant {
  readonly section = 'thread'
  readonly #host: AnchoringHost
  /** The oldest first. */
  readonly #threads = new Map<ThreadId, Thread>()
  /** Who called whom of late. */
  readonly calls = new RecentMentions(this.#threads)
  readonly #byComment = new Map<CommentId, ThreadId>()
  readonly #byBlock = new Map<BlockId, Set<ThreadId>>()
  /** The latest orphans, the oldest first, with the clocks before they were. */
  readonly #seeking = new Map<ThreadId, InsertedContent['before']>()
  #fates = new Map<ThreadId, keyof Fates>()
  #now: readonly Thread[] | undefined
  #next = 1
  #bytes = 0
  #comments = 0

  constructor(host: AnchoringHost) {
    this.#host = host
  }

  get isEmpty(): boolean {
    return this.#threads.size === 0
  }

  /** Of everything that is said, and of the words that it is said of, about as it is stored. */
  get bytes(): number {
    return this.#bytes
  }

  get commentCount(): number {
    return this.#comments
  }

  get count(): number {
    return this.#threads.size
  }

  /** Anchored in a block, or at it. */
  countIn(block: BlockId): number {
    return this.#byBlock.get(block)?.size ?? 0
  }

  load(records: readonly StoredRecord[]): void {
    for (const thread of threadsOf(records).sort((a, b) => a.n - b.n)) {
      this.#enter(thread)
      this.#bytes += threadBytes(thread)
    }
    for (const { path, value } of records) {
      if (path.length > 1) this.#count(path.length === 2 ? 1 : 0, value.length)
    }
  }

  /** When the text is there: offsets as they are now. */
  loaded(): void {
    const anchoring = this.anchoring()
    for (const thread of this.#threads.values()) {
      const { anchor } = thread
      if (anchor.isLost) continue
      this.#replace(thread, { ...thread, anchor: anchoring.follow(anchor) })
    }
  }

  /** Names characters of the text as it is. */
  anchoring(): Anchoring {
    return new Anchoring(this.#host, { touched: new Set(), before: new Map() })
  }

  commit({ deleted, revived, came }: Write, records: RecordWriter): void {
    if (this.isEmpty || came === undefined) return
    const concerned = new Set<ThreadId>(this.#seeking.keys())
    if (came.bringsBack) for (const id of this.#lostLately(came)) concerned.add(id)
    const gone = deleted.map(({ id }) => id)
    for (const blocks of [came.touched, gone, revived]) {
      for (const block of blocks) {
        for (const id of this.#byBlock.get(block) ?? []) concerned.add(id)
      }
    }
    if (concerned.size === 0) return
    const anchoring = new Anchoring(this.#host, came)
    for (const id of concerned) this.#follow(id, anchoring, came, records)
  }

  /** The newest of the orphans, as many as can be looked for in what is there. */
  #lostLately({ former }: InsertedContent): ThreadId[] {
    const count = Math.max(seekingMax, wordsBroughtMaxChars / ((former?.length ?? 0) + 1))
    const lost = [...this.#threads.values()].filter(({ anchor }) => anchor.isLost)
    return lost.slice(-count).map(({ id }) => id)
  }

  #follow(id: ThreadId, anchoring: Anchoring, came: InsertedContent, records: RecordWriter): void {
    const thread = this.#threads.get(id)
    if (thread === undefined) return
    const before = thread.anchor
    const anchor = anchoring.follow(before, this.#seeking.get(id) ?? came.before)
    if (anchor === before) return
    const after = { ...thread, anchor }
    this.#replace(thread, after)
    this.#noteFate(id, before, anchor)
    if (anchor.isLost && !before.isLost) this.#seek(id, came)
    if (!anchor.isLost) this.#seeking.delete(id)
    if (!isStoredAlike(before, anchor)) records.put([id], threadRecord(after))
  }

  #seek(id: ThreadId, { before }: InsertedContent): void {
    this.#seeking.set(id, before)
    for (const oldest of this.#seeking.keys()) {
      if (this.#seeking.size <= seekingMax) break
      this.#seeking.delete(oldest)
    }
  }

  #noteFate(id: ThreadId, before: Anchor, now: Anchor): void {
    if (now.isLost !== before.isLost) {
      if (now.isLost) this.#fates.set(id, 'orphaned')
      else this.#fates.set(id, 'moved')
    } else if (now.scope === 'block') {
      if (now.block !== before.block) this.#fates.set(id, 'moved')
    } else if (before.scope === 'range' && !now.isLost) {
      if (now.whole !== undefined && now.words.length < before.words.length) {
        this.#fates.set(id, 'degraded')
      } else if (now.from.block !== before.from.block || now.to.block !== before.to.block) {
        this.#fates.set(id, 'moved')
      }
    }
  }

  /** What writes have done to anchors since this was asked last; undefined: nothing. */
  takeFates(): Fates | undefined {
    if (this.#fates.size === 0) return undefined
    const named = (fate: keyof Fates) =>
      [...this.#fates].filter(([, each]) => each === fate).map(([id]) => id)
    const fates = {
      moved: named('moved'),
      degraded: named('degraded'),
      orphaned: named('orphaned'),
    }
    this.#fates = new Map()
    return fates
  }

  /** All of them, the newest first: a value of this moment. */
  now(): readonly Thread[] {
    this.#now ??= [...this.#threads.values()].reverse()
    return this.#now
  }

  /** Those that are anchored in any of these blocks, the newest first. */
  standingIn(blocks: Iterable<BlockId>): readonly Thread[] {
    const found = new Set<ThreadId>()
    for (const block of blocks) for (const id of this.#byBlock.get(block) ?? []) found.add(id)
    const threads: Thread[] = []
    for (const id of found) {
      const thread = this.#threads.get(id)
      if (thread && !thread.anchor.isLost && isStanding(thread)) threads.push(thread)
    }
    return threads.sort((a, b) => b.n - a.n)
  }

  /** The words of a block that threads are anchored to, save one thread, each once. */
  wordsIn(block: BlockId, except?: ThreadId): readonly string[] {
    const words = new Set<string>()
    for (const id of this.#byBlock.get(block) ?? []) {
      const { anchor } = id === except ? {} : (this.#threads.get(id) ?? {})
      if (anchor?.scope !== 'range' || anchor.isLost) continue
      if (anchor.from.block === block && anchor.to.block === block) words.add(anchor.words)
    }
    return [...words]
  }

  get(id: string): Thread | undefined {
    return this.#threads.get(id as ThreadId)
  }

  ofComment(id: string): { readonly thread: Thread; readonly comment: Comment } | undefined {
    const threadId = this.#byComment.get(id as CommentId)
    const thread = threadId && this.#threads.get(threadId)
    const comment = thread?.comments.find((each) => each.id === id)
    return thread && comment && { thread, comment }
  }

  /** The number of the next thread or comment. */
  takeNumber(): number {
    return this.#next++
  }

  /** Takes over a thread as it is from now on; without comments it is gone. */
  put(thread: Thread, records: RecordWriter): void {
    const before = this.#threads.get(thread.id)
    const known = new Map(before?.comments.map((comment) => [comment.id, comment]))
    for (const comment of thread.comments) {
      const old = known.get(comment.id)
      known.delete(comment.id)
      if (old === comment) continue
      if (old === undefined) this.calls.note(thread, comment)
      this.#putComment(thread, comment, old, records)
    }
    const { resolution } = thread
    if (resolution && resolution !== before?.resolution) this.calls.note(thread, resolution)
    for (const gone of known.values()) {
      records.delete([thread.id, gone.id])
      this.#byComment.delete(gone.id)
      this.#count(-1, -commentRecord(gone).length)
      if (!hasReactions(gone)) continue
      records.delete([thread.id, gone.id, reactionsPath])
      this.#count(0, -reactionsRecord(gone).length)
    }
    if (thread.comments.length > 0) records.put([thread.id], threadRecord(thread))
    else records.delete([thread.id])
    if (!isStanding(thread)) this.#fates.delete(thread.id)
    else if (this.#fates.has(thread.id) && !thread.anchor.isLost)
      this.#fates.set(thread.id, 'moved')
    this.#replace(before, thread)
  }

  /** What changed of it alone: a reaction writes no words again. */
  #putComment(
    { id }: Thread,
    comment: Comment,
    old: Comment | undefined,
    records: RecordWriter,
  ): void {
    const isSaid = old === undefined || !isSaidAlike(old, comment)
    if (isSaid) {
      const value = commentRecord(comment)
      records.put([id, comment.id], value)
      this.#count(old ? 0 : 1, value.length - (old ? commentRecord(old).length : 0))
    }
    // Those of an older comment stood in its own record.
    if (isSaid ? !hasReactions(comment) : isFeltAlike(old, comment)) return
    const value = reactionsRecord(comment)
    records.put([id, comment.id, reactionsPath], value)
    this.#count(0, value.length - (old && hasReactions(old) ? reactionsRecord(old).length : 0))
  }

  verify(): string | undefined {
    for (const { id, anchor } of this.#threads.values()) {
      if (anchor.isLost) continue
      for (const block of blocksOf(anchor)) {
        if (this.#host.blockIds.elementOf(block) === undefined) {
          return `the thread ${id} is anchored to ${block}, which is not there`
        }
      }
    }
    return undefined
  }

  #count(comments: number, bytes: number): void {
    this.#comments += comments
    this.#bytes += bytes
  }

  #enter(thread: Thread): void {
    this.#threads.set(thread.id, thread)
    this.#next = Math.max(this.#next, thread.n + 1)
    for (const { id, n } of thread.comments) {
      this.#byComment.set(id, thread.id)
      this.#next = Math.max(this.#next, n + 1)
    }
    for (const block of blocksOf(thread.anchor)) addTo(this.#byBlock, block, thread.id)
  }

  #replace(before: Thread | undefined, after: Thread): void {
    this.#now = undefined
    for (const block of before === undefined ? [] : blocksOf(before.anchor)) {
      removeFrom(this.#byBlock, block, after.id)
    }
    if (before !== undefined) this.#bytes -= threadBytes(before)
    if (after.comments.length > 0) {
      this.#enter(after)
      this.#bytes += threadBytes(after)
    } else {
      this.#threads.delete(after.id)
      this.#seeking.delete(after.id)
    }
  }
}
