/**
 * Who called whom of late in one document, in whatever threads: so that agents who answer each
 * other stop (extensions §13), also where each answer opens a thread of its own. A person who says
 * something ends every row of answers. Bounded; of records only what tells it is read.
 */
import type { ActorId } from '../../../schema/ids.ts'
import { limits } from '../../../schema/limits.ts'
import type { Thread } from './thread.ts'

interface RecentMention {
  readonly by: ActorId
  readonly at: number
  /** The agents that it was told by name; all others who hear of the document may know of it. */
  readonly to: readonly ActorId[]
}

/** The newest mentions that are known. */
const mentionsKept = 256

export const isAgent = (actor: ActorId): boolean => actor.startsWith('ai:')

export class RecentMentions {
  readonly #threads: ReadonlyMap<string, Thread>
  /** The oldest first; undefined: nobody has asked yet. */
  #mentions: readonly RecentMention[] | undefined

  constructor(threads: ReadonlyMap<string, Thread>) {
    this.#threads = threads
  }

  /** Something was said in a thread, as it is now. */
  note(thread: Thread, { by, at }: { readonly by: ActorId; readonly at: number }): void {
    if (this.#mentions === undefined) return
    const mention = { by, at, to: namedIn(thread, by, at) }
    this.#mentions = isAgent(by) ? [...this.#mentions.slice(1 - mentionsKept), mention] : []
  }

  /** The agents that are not told what an agent says now, were they told it by name or not. */
  unheard(by: ActorId, now: number, to: ReadonlySet<ActorId>): ActorId[] {
    if (!isAgent(by)) return []
    this.#mentions ??= mentionsIn(this.#threads.values(), now - rowMs)
    const last = this.#mentions.findLastIndex(
      (mention) => !isAgent(mention.by) || mention.at < now - rowMs,
    )
    const row = this.#mentions.slice(last + 1)
    const others = new Set(row.map((mention) => mention.by).filter((other) => other !== by))
    return [...others].filter((other) => {
      const isHeard = to.has(other) ? isMentioned : () => true
      return answersOf(row, [other, by], isHeard) >= limits.agentsDepthMax
    })
  }
}

/** Answers that come later than this answer nothing. */
const rowMs = limits.agentsAnswerMs

function mentionsIn(threads: Iterable<Thread>, since: number): RecentMention[] {
  const found: { readonly thread: Thread; readonly by: ActorId; readonly at: number }[] = []
  for (const thread of threads) {
    const { comments, resolution } = thread
    for (const { by, at } of resolution ? [...comments, resolution] : comments) {
      if (at >= since) found.push({ thread, by, at })
    }
  }
  const latest = found.sort((a, b) => a.at - b.at).slice(-mentionsKept)
  return latest.map(({ thread, by, at }) => ({ by, at, to: namedIn(thread, by, at) }))
}

const isMentioned = (mention: RecentMention, other: ActorId): boolean => mention.to.includes(other)

/** How often two answered each other, the latest answer being one of the first of them. */
function answersOf(
  row: readonly RecentMention[],
  [from, to]: readonly [ActorId, ActorId],
  isHeard: (mention: RecentMention, other: ActorId) => boolean,
): number {
  let count = 0
  let [by, other] = [from, to]
  for (const mention of row.toReversed()) {
    if (mention.by !== by || !isHeard(mention, other)) continue
    count += 1
    ;[by, other] = [other, by]
  }
  return count
}

/** Whom somebody's word in a thread calls: who is mentioned in it, and who had written there. */
function namedIn({ comments, resolution }: Thread, by: ActorId, at: number): ActorId[] {
  const named = new Set<ActorId>()
  for (const said of resolution ? [...comments, resolution] : comments) {
    if (said.by === by && said.at === at) for (const actor of said.mentions ?? []) named.add(actor)
    else if (said.at <= at) named.add(said.by)
  }
  named.delete(by)
  return [...named].filter(isAgent)
}
