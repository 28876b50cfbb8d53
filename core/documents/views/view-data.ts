/**
 * What is told of one revision to who asked for parts of it: the same of an open document as of a
 * stored view. Only what is wished is computed.
 */
import { type ActorId, type BlockId, isNameless } from '../../../schema/ids.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import type { FrontMatter } from '../../../schema/okf.ts'
import type { DocumentFacts } from '../../commit/facts.ts'
import { deletedComments } from '../threads/deleted-comments.ts'
import type { PlacedThread } from '../threads/placed.ts'
import type { Thread } from '../threads/thread.ts'
import { answerWish } from '../threads/thread-wish.ts'
import type { ContentBlock, Excerpt, ReadWish, ViewData } from './document-view.ts'

/** All that a revision has to tell, each part found when it is asked for. */
export interface WholeView {
  readonly revision: number
  readonly title: string
  readonly facts: DocumentFacts
  readonly changedAt: number
  readonly markdown: string
  readonly hues: ReadonlyMap<ActorId, number>
  slice(from: number, to: number): string
  /** Of an addressed block; undefined: it is not there. */
  rangeOfBlock(id: BlockId): TextRange | undefined
  markdownJson(): readonly Uint8Array[]
  contentHash(): string
  contentBlocks(): readonly ContentBlock[]
  contentBlocksJson(): readonly Uint8Array[]
  authorshipJson(): readonly Uint8Array[]
  authors(): readonly ActorId[]
  frontMatter(): FrontMatter
  /** Those in which anything stands, the newest first. */
  standingThreads(): readonly PlacedThread[]
  /** Those of which nothing stands, too. */
  allThreads(): Iterable<Thread>
}

export function viewData(view: WholeView, wish: ReadWish): ViewData {
  const { revision, title, facts, changedAt } = view
  return {
    revision,
    title,
    facts,
    changedAt,
    ...(wish.markdown && { markdown: view.markdown }),
    ...(wish.markdownJson && { markdownJson: view.markdownJson() }),
    ...(wish.contentHash && { contentHash: view.contentHash() }),
    ...(wish.contentBlocks && { contentBlocksJson: view.contentBlocksJson() }),
    ...(wish.quotedBlocks && { quotedBlocksJson: quotedBlocks(view) }),
    ...(wish.authorship && { authorshipJson: view.authorshipJson() }),
    ...(wish.authors && { authors: view.authors() }),
    ...(wish.hues && { hues: view.hues }),
    ...(wish.frontMatter && { frontMatter: view.frontMatter() }),
    ...saidIn(view, wish),
  }
}

/** What is said of it. */
function saidIn(view: WholeView, wish: ReadWish): Partial<ViewData> {
  const { threads: asked, excerpts, speakers, deletedComments: deleted } = wish
  const standing = asked || speakers ? view.standingThreads() : []
  const threads = asked && answerWish(asked, standing)
  return {
    ...(threads && { threads }),
    ...(threads &&
      excerpts && {
        excerpts: threads.threads.map((one) => excerptOf(one, view, excerpts)),
      }),
    ...(speakers && { speakers: speakersIn(wholeThreads(standing), speakers.most) }),
    ...(deleted && { deletedComments: deletedComments([...view.allThreads()], deleted) }),
  }
}

/** One after the other, since a stored one is parsed when it is looked at. */
function* wholeThreads(threads: readonly PlacedThread[]): Iterable<Thread> {
  for (const { thread } of threads) yield thread
}

function excerptOf(
  { id, range, thread }: PlacedThread,
  view: WholeView,
  { blockMaxChars }: { readonly blockMaxChars: number },
): Excerpt {
  if (range === undefined) return { thread: id, quote: undefined, block: undefined }
  const { block } = thread.anchor
  const around = view.rangeOfBlock(block)
  const begin = around && view.slice(around.from, Math.min(around.to, around.from + blockMaxChars))
  return {
    thread: id,
    quote: view.slice(range.from, range.to),
    block: begin === undefined ? undefined : { id: block, begin },
  }
}

function quotedBlocks(view: WholeView): readonly Uint8Array[] {
  const { markdown } = view
  const blocks = view.contentBlocks().map(({ id, range }) => ({
    id,
    range,
    quote: markdown.slice(range.from, range.to),
  }))
  return [Buffer.from(JSON.stringify(blocks))]
}

/**
 * The first `most` that have a name, each once: of the newest threads first, and in each who spoke
 * last. `threads`: the newest first.
 */
export function speakersIn(threads: Iterable<Pick<Thread, 'comments'>>, most: number): ActorId[] {
  const speakers = new Set<ActorId>()
  for (const { comments } of threads) {
    for (let at = comments.length - 1; at >= 0; at--) {
      if (speakers.size === most) return [...speakers]
      const by = comments[at]?.by
      if (by !== undefined && !isNameless(by)) speakers.add(by)
    }
  }
  return [...speakers]
}
