/**
 * What others suggest, and oneself where it is no draft here, drawn in the text: each once, mapped
 * through every change, and worked out anew only where its thread or its blocks are others than
 * they were. Much of it is done a little at a time, so that nobody waits who types.
 */
import type { Node } from 'prosemirror-model'
import { Decoration, type DecorationSet } from 'prosemirror-view'
import type { Comment, Thread } from '../api/threads.ts'
import type { AuthorBook } from '../authors/author-book.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { drawnBlocks } from '../editor/model/drawn-blocks.ts'
import { blocksOf, rangeOf } from '../threads/thread-ranges.ts'
import { drawn } from './own-marks.ts'
import { type SuggestedRange, suggestedRangesOf } from './suggested-ranges.ts'

/** A suggestion that waits for somebody to decide. */
export interface PendingSuggestion {
  readonly id: string
  readonly thread: string
  readonly by: string
  readonly oldString: string
  readonly newString: string
}

export const pendingIn = (threads: readonly Thread[]): PendingSuggestion[] =>
  threads.flatMap((thread) =>
    thread.resolved ? [] : thread.comments.flatMap((comment) => waitingOf(thread, comment)),
  )

function waitingOf(
  { id: thread }: Thread,
  { id, by, suggestion, deleted }: Comment,
): PendingSuggestion[] {
  if (suggestion?.status !== 'pending' || deleted === true) return []
  const { old_string: oldString, new_string: newString } = suggestion
  return [{ id, thread, by, oldString, newString }]
}

interface Looked {
  readonly thread: Thread
  /** The top-level blocks that its words are in. */
  readonly blocks: readonly Node[]
  readonly waiting: PendingSuggestion
  readonly isDrawn: boolean
}

/** More than these are not drawn at once; the newest are. */
const drawnMax = 300
const sliceMs = 12

export class SuggestionMarks {
  readonly #book: AuthorBook
  readonly #looked = new Map<string, Looked>()

  constructor(book: AuthorBook) {
    this.#book = book
  }

  /**
   * The set as it should be for these threads, as far as there was time, one more at least; and
   * whether that is all.
   * `doc` is the shared document, in whose positions the set counts.
   */
  look(
    set: DecorationSet,
    {
      doc,
      threads,
      except,
    }: { doc: Node; threads: readonly Thread[]; except: ReadonlySet<string> },
  ): { readonly set: DecorationSet; readonly isAll: boolean } {
    const end = performance.now() + sliceMs
    const shown = pendingIn(threads)
      .filter(({ id }) => !except.has(id))
      .slice(0, drawnMax)
    const wanted = new Set(shown.map(({ id }) => id))
    for (const id of [...this.#looked.keys()]) if (!wanted.has(id)) this.#looked.delete(id)
    // By what is drawn, which may be more than is remembered.
    const gone = set.find().flatMap(({ spec: { suggestion: id } }) => (wanted.has(id) ? [] : [id]))
    let next = without(set, new Set<string>(gone))
    let looks = 0
    const byId = new Map(threads.map((thread) => [thread.id, thread]))
    const concerned = threads.filter(({ id }) => shown.some(({ thread }) => thread === id))
    const blocks = blocksOf(doc, concerned)
    for (const waiting of shown) {
      const thread = byId.get(waiting.thread)
      if (thread === undefined) continue
      const range = rangeOf(blocks, thread)
      const tops = range === undefined ? [] : topsOf(doc, range)
      if (this.#isAsBefore(waiting, { thread, tops })) continue
      if (looks++ > 0 && performance.now() > end) return { set: next, isAll: false }
      const marks = range === undefined ? [] : this.#marks(doc, range, waiting)
      next = without(next, new Set([waiting.id])).add(doc, marks)
      const isDrawn = marks.length > 0
      this.#looked.set(waiting.id, { thread, blocks: tops, waiting, isDrawn })
    }
    return { set: next, isAll: true }
  }

  /** Draws all anew, as when an author's hue became known. */
  forget(): void {
    this.#looked.clear()
  }

  #isAsBefore({ id }: PendingSuggestion, now: { thread: Thread; tops: readonly Node[] }): boolean {
    const last = this.#looked.get(id)
    if (last?.thread !== now.thread || last.blocks.length !== now.tops.length) return false
    return now.tops.every((node, at) => node === last.blocks[at])
  }

  #marks(doc: Node, range: DocRange, waiting: PendingSuggestion): Decoration[] {
    const stretches = suggestedRangesOf(doc, range, waiting) ?? []
    const { hue, isHuman } = this.#book.author(waiting.by)
    const look = { name: waiting.id, hue, isAgent: !isHuman }
    return stretches.flatMap((stretch, at) => marksOf(stretch, { ...look, isFirst: at === 0 }))
  }
}

function topsOf(doc: Node, { from, to }: DocRange): Node[] {
  const first = doc.resolve(from).index(0)
  const last = doc.resolve(Math.max(from, to - 1)).index(0)
  return doc.children.slice(first, last + 1)
}

const without = (set: DecorationSet, names: ReadonlySet<string>): DecorationSet =>
  names.size === 0
    ? set
    : set.remove(set.find(undefined, undefined, ({ suggestion }) => names.has(suggestion)))

interface Look {
  readonly name: string
  readonly hue: number
  readonly isAgent: boolean
  readonly isFirst: boolean
}

function marksOf({ from, to, text, blocks }: SuggestedRange, look: Look): Decoration[] {
  const spec = { suggestion: look.name }
  const marks: Decoration[] = []
  if (from < to) {
    const attributes = {
      class: 'proposed proposed-out',
      role: 'deletion',
      'data-suggestion': look.name,
      'data-hue': String(look.hue),
      ...(look.isAgent && { 'data-agent': '' }),
      ...(look.isFirst && { 'data-first': '' }),
    }
    marks.push(Decoration.inline(from, to, attributes, spec))
  }
  if (text !== '' || blocks !== undefined) {
    const own = { ...look, isFirst: look.isFirst && from === to }
    const draw = () => (blocks === undefined ? putIn(text, own) : putInBlocks(blocks, own))
    const key = `${look.name} ${look.hue} ${blocks?.join() ?? text}`
    marks.push(
      Decoration.widget(to, draw, { ...spec, side: 1, key, ignoreSelection: true, marks: [] }),
    )
  }
  return marks
}

/** As the page draws them; items and rows within the list or table that is there. */
function putInBlocks(blocks: readonly Node[], look: Look): HTMLElement {
  const element = putIn('', { ...look, isFirst: false })
  const isPart = blocks.some(({ type: { name } }) => name === 'list_item' || name === 'table_row')
  element.classList.add(isPart ? 'proposed-parts' : 'proposed-blocks')
  element.append(drawnBlocks(blocks))
  // The sign of an agent stands before the first words.
  const words = element.querySelector('p, h1, h2, h3, h4, h5, h6, th, td, pre')
  words?.classList.add('proposed')
  words?.toggleAttribute('data-agent', look.isAgent)
  words?.toggleAttribute('data-first', look.isFirst)
  return element
}

function putIn(text: string, { name, hue, isAgent, isFirst }: Look): HTMLElement {
  const element = drawn(text, { name, look: 'proposed-in', hue, role: 'insertion' })
  element.toggleAttribute('data-agent', isAgent)
  element.toggleAttribute('data-first', isFirst)
  return element
}
