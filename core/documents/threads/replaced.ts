/**
 * Threads on words that an accepted suggestion replaced (extensions §13): they are about the new
 * ones, unless their own stand there still.
 */
import { type BlockId, isBlockId, type ThreadId } from '../../../schema/ids.ts'
import type { DocumentText } from '../../../schema/markdown/document-text.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import type { RecordWriter } from '../../commit/participant.ts'
import { wordsIn } from './naming-words.ts'
import { placedThreads } from './placed.ts'
import type { Thread } from './thread.ts'
import type { Threads } from './threads.ts'

/**
 * Asked before the words are replaced; what it answers is called with the text as it is then, and
 * says which threads found nothing there.
 */
export function followReplaced(
  threads: Threads,
  text: DocumentText,
  range: TextRange,
): (now: DocumentText, records: RecordWriter) => ThreadId[] {
  const concerned = threadsIn(text, threads, range)
  const behind = text.length - range.to
  return (now, records) => {
    const anew = { from: range.from, to: now.length - behind }
    return concerned
      .filter((before) => !follow(threads, before, { text: now, range: anew, records }))
      .map(({ id }) => id)
  }
}

/** Those whose words are all within the range; no thread of other blocks is looked at. */
function threadsIn(
  text: DocumentText,
  threads: Threads,
  { from, to }: TextRange,
): readonly Thread[] {
  const blocks = new Set<BlockId>()
  for (const block of text.blocks()) {
    if (isBlockId(block.id) && block.from <= to && block.to >= from) blocks.add(block.id)
  }
  return placedThreads(text, threads.standingIn(blocks))
    .filter(({ range }) => range !== undefined && range.from >= from && range.to <= to)
    .map(({ thread }) => thread)
}

interface Anew {
  readonly text: DocumentText
  readonly range: TextRange
  readonly records: RecordWriter
}

/** False: there is nothing that it could be about. */
function follow(threads: Threads, before: Thread, { text, range, records }: Anew): boolean {
  const thread = threads.get(before.id) ?? before
  const { anchor: now } = thread
  if (!now.isLost && now.words === before.anchor.words) return true
  const words = range.to > range.from ? wordsIn(text, range) : undefined
  const anchor = words && threads.anchoring().range(words.from, words.to)
  if (anchor !== undefined) threads.put({ ...thread, anchor }, records)
  return anchor !== undefined || !now.isLost
}
