/**
 * The words of threads in the text: one decoration a thread, mapped through each change of the
 * document and never drawn anew for it. The service has the last word where they are: of a thread
 * that it tells anew the words are looked up again, and of one whose words are not where they were
 * it is asked. `rangesIn` and `idsAt` say where they are in a state of the editor, whoever wants
 * to know. Each has a class of its own (`highlightClass`), so that a rule of CSS lights it up and
 * pointing at it draws nothing anew.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { Thread } from '../api/threads.ts'
import { beneath } from '../editor/binding/layer.ts'
import type { DocumentSession } from '../live/session.ts'
import { hasMargin } from '../platform/media.ts'
import { discussionStateOf } from './discussion-state.ts'
import { isHeldOpen, isSettled } from './shown.ts'
import { blocksOf, placeOf, plainBetween, rangeOf, type ThreadRange } from './thread-ranges.ts'
import { threadsOf } from './thread-store.ts'

interface Spec {
  readonly thread: string
  readonly isBlock: boolean
}

interface Put {
  readonly id: string
  readonly range: ThreadRange
  /** It is drawn as what it suggests. */
  readonly isSuggested?: boolean
}

/** What is put where, and what is taken away. */
interface Replaced {
  readonly gone: ReadonlySet<string>
  readonly put: readonly Put[]
}

const key = new PluginKey<DecorationSet>('threads')
const askAfterMs = 400
const askedMax = 3

const ranges = new WeakMap<DecorationSet, ReadonlyMap<string, ThreadRange>>()

/** Where the words of threads are, by id; those of orphaned and resolved ones are not there. */
export function rangesIn(state: EditorState): ReadonlyMap<string, ThreadRange> {
  const set = key.getState(state) ?? DecorationSet.empty
  const known = ranges.get(set)
  if (known !== undefined) return known
  const found = new Map<string, ThreadRange>()
  for (const { from, to, spec } of set.find()) {
    const { thread, isBlock } = spec as Spec
    found.set(thread, { from, to, isBlock })
  }
  ranges.set(set, found)
  return found
}

/** The threads about the character at a position, the one with the fewest words first. */
export function idsAt(state: EditorState, pos: number): readonly string[] {
  const found = key.getState(state)?.find(pos, pos) ?? []
  return [...found]
    .sort((a, b) => a.to - a.from - (b.to - b.from))
    .map(({ spec }) => (spec as Spec).thread)
}

/** In place of a thread's id: the words that somebody here is about to comment on. */
export const draftId = 'draft'

/** Marks these words as such, or none any more. */
export function markDraft(view: EditorView, range: ThreadRange | undefined): void {
  const put = range === undefined ? [] : [{ id: draftId, range }]
  const replaced: Replaced = { gone: new Set([draftId]), put }
  view.dispatch(view.state.tr.setMeta(key, replaced).setMeta('addToHistory', false))
}

export const highlightClass = (thread: string): string => `about-${thread}`

export function threadHighlights(session: DocumentSession): Plugin<DecorationSet> {
  /** What the text said last that the mouse is over. */
  let pointed = nobody
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, set) => applied(tr, set),
    },
    props: {
      decorations: (state) => key.getState(state),
      handleClick: (view, pos) => {
        const discussion = discussionStateOf(session)
        // Where there is no margin the sheet would come over what one is about to write.
        if (hasMargin.get() || discussion.isSheetOpen.get())
          discussion.point(idsAt(view.state, pos))
        return false
      },
      handleDOMEvents: {
        mouseover: (_, { target }) => {
          pointed = idsOf(target)
          discussionStateOf(session).hovered.set(pointed)
          return false
        },
        mouseleave: () => {
          // The card that the mouse went to may have said so already.
          const { hovered } = discussionStateOf(session)
          if (hovered.get() === pointed) hovered.set(nobody)
          return false
        },
      },
    },
    view: (view) => new Highlighting(view, session),
  })
}

const nobody: readonly string[] = []

const highlighted = '.about, .about-block'

/** Of what the mouse is over. */
function idsOf(target: EventTarget | null): readonly string[] {
  const ids: string[] = []
  let element = target instanceof Element ? target.closest(highlighted) : null
  for (; element !== null; element = element.parentElement?.closest(highlighted) ?? null) {
    for (const name of element.classList) {
      if (name.startsWith('about-thr_')) ids.push(name.slice('about-'.length))
    }
  }
  return ids.length === 0 ? nobody : ids
}

function applied(tr: Transaction, before: DecorationSet): DecorationSet {
  const set = tr.docChanged ? before.map(tr.mapping, tr.doc) : before
  const replaced = tr.getMeta(key) as Replaced | undefined
  if (replaced === undefined) return set
  const old = set.find(undefined, undefined, ({ thread }) => replaced.gone.has(thread))
  return set.remove(old).add(tr.doc, replaced.put.map(decorated))
}

function decorated({ id, range, isSuggested = false }: Put): Decoration {
  const { from, to, isBlock } = range
  const spec: Spec = { thread: id, isBlock }
  const kind = isBlock ? 'about-block' : 'about'
  const more = isSuggested ? 'about-suggested ' : ''
  const attributes = { class: `${kind} ${more}${highlightClass(id)}` }
  return isBlock
    ? Decoration.node(from, to, attributes, spec)
    : Decoration.inline(from, to, attributes, spec)
}

/** What was mapped up to now stays where it reads as it should, in the block where it should be. */
function isThere(doc: Node, { place, block_id: id }: Thread, range: ThreadRange): boolean {
  if (range.isBlock || place === null) {
    return range.isBlock && place === null && doc.nodeAt(range.from)?.attrs['id'] === id
  }
  const now = placeOf(doc, range)
  return now?.from.block_id === place.from.block_id && now.words.startsWith(place.words)
}

/** Not only the same words: where the service last had them. */
function isExactly(doc: Node, thread: Thread, range: ThreadRange): boolean {
  if (!isThere(doc, thread, range)) return false
  return range.isBlock || placeOf(doc, range)?.from.offset === thread.place?.from.offset
}

class Highlighting {
  readonly #view: EditorView
  readonly #session: DocumentSession
  readonly #stops: (() => void)[]
  /** The threads as they were when their words were looked up. */
  readonly #placed = new Map<string, Thread>()
  /** Whose words are to be somewhere and were not found. */
  readonly #missing = new Set<string>()
  /** Of threads with suggestions, whether their words read as when they were told. */
  readonly #reads = new Map<string, boolean>()
  readonly #asked = new Map<string, number>()
  #timer: number | undefined

  constructor(view: EditorView, session: DocumentSession) {
    this.#view = view
    this.#session = session
    const { all, showsResolved } = threadsOf(session)
    const { active } = discussionStateOf(session)
    this.#stops = [all, showsResolved, active].map((store) => store.subscribe(() => this.#place()))
    // A transaction within the making of the view would come too early.
    queueMicrotask(() => this.#place())
  }

  update(view: EditorView, before: EditorState): void {
    if (view.state.doc === before.doc || this.#placed.size === 0) return
    this.#lookSoon()
    // A block that is moved goes out and comes in again, with the words in it.
    const now = rangesIn(view.state)
    if ([...this.#placed.keys()].some((id) => !now.has(id))) queueMicrotask(() => this.#putBack())
  }

  /** What was lost and stands again exactly where the service has it. */
  #putBack(): void {
    if (this.#view.isDestroyed || this.#view.composing) return
    const { state } = this.#view
    const now = rangesIn(state)
    const lost = [...this.#placed.values()].filter(({ id }) => !now.has(id))
    const { doc } = beneath(state)
    const blocks = blocksOf(doc, lost)
    const back = lost.filter((thread) => {
      const range = rangeOf(blocks, thread)
      return range !== undefined && isExactly(doc, thread, range)
    })
    if (back.length > 0) this.#put(back, new Set())
  }

  destroy(): void {
    window.clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
  }

  #lookSoon(): void {
    this.#timer ??= window.setTimeout(() => void this.#look(), askAfterMs)
  }

  /** Looks up the words of what is new or was told anew. */
  #place(): void {
    if (this.#view.isDestroyed) return
    // What is drawn anew would break what an input method holds.
    if (this.#view.composing) {
      this.#lookSoon()
      return
    }
    const { all, showsResolved } = threadsOf(this.#session)
    const areResolved = showsResolved.get()
    const active = discussionStateOf(this.#session).active.get()
    const isShown = (thread: Thread) =>
      !thread.orphaned && (areResolved || !isSettled(thread) || isHeldOpen(thread, active))
    const shown = new Map(
      all
        .get()
        .filter(isShown)
        .map((thread) => [thread.id, thread]),
    )
    const fresh = [...shown.values()].filter((thread) => this.#placed.get(thread.id) !== thread)
    const gone = new Set([...this.#placed.keys()].filter((id) => !shown.has(id)))
    for (const id of gone) this.#forget(id)
    for (const thread of fresh) {
      this.#placed.set(thread.id, thread)
      this.#asked.delete(thread.id)
    }
    this.#put(fresh, gone)
  }

  #forget(id: string): void {
    this.#placed.delete(id)
    this.#missing.delete(id)
    this.#reads.delete(id)
    this.#asked.delete(id)
  }

  #put(threads: readonly Thread[], gone: ReadonlySet<string>): void {
    const { state } = this.#view
    const now = rangesIn(state)
    // What is drafted over the document is not of it.
    const { doc, toShown, toShared } = beneath(state)
    const shared = (range: ThreadRange) => ({
      ...range,
      from: toShared(range.from),
      to: toShared(range.to),
    })
    const blocks = blocksOf(doc, threads)
    const put: Put[] = []
    const moved = new Set(gone)
    for (const thread of threads) {
      const found = rangeOf(blocks, thread)
      const range = found && { ...found, from: toShown(found.from), to: toShown(found.to) }
      const old = now.get(thread.id)
      this.#reads.delete(thread.id)
      if (old !== undefined && isThere(doc, thread, shared(old))) continue
      if (range === undefined) {
        if (old === undefined) this.#missing.add(thread.id)
        continue
      }
      this.#missing.delete(thread.id)
      moved.add(thread.id)
      const isSuggested = thread.comments[0]?.suggestion !== undefined
      put.push({ id: thread.id, range, isSuggested })
    }
    if (moved.size === 0) return
    const replaced: Replaced = { gone: moved, put }
    this.#view.dispatch(state.tr.setMeta(key, replaced).setMeta('addToHistory', false))
  }

  /** After changes: of what is not where it was, or reads otherwise now, the service is asked. */
  async #look(): Promise<void> {
    this.#timer = undefined
    if (this.#view.isDestroyed) return
    this.#place()
    const { state } = this.#view
    const now = rangesIn(state)
    const lost = [...this.#placed.keys()].filter((id) => !now.has(id))
    const again = lost.filter((id) => this.#missing.has(id))
    this.#put(
      again.flatMap((id) => this.#placed.get(id) ?? []),
      new Set(),
    )
    const changed = [...this.#placed.values()].filter((thread) => this.#hasTurned(thread))
    for (const id of lost) this.#missing.add(id)
    if (lost.length + changed.length === 0) return
    if (!(await this.#session.allSaved())) {
      // On a slow line nothing else would look again, what is offline waits for its return.
      if (this.#session.saveState.get().kind === 'saving') this.#lookSoon()
      return
    }
    const ids = [...lost.filter((id) => this.#mayAsk(id)), ...changed.map(({ id }) => id)]
    if (ids.length === 0) return
    await threadsOf(this.#session).refresh(ids)
  }

  /** What the service says again and again, and is not here, is not asked for with every key. */
  #mayAsk(id: string): boolean {
    const asked = this.#asked.get(id) ?? 0
    this.#asked.set(id, asked + 1)
    return asked < askedMax
  }

  /** Whether a suggestion became stale, or stands again. */
  #hasTurned(thread: Thread): boolean {
    const { pending, stale } = thread.suggestions
    if (pending + stale === 0) return false
    const { state } = this.#view
    const range = rangesIn(state).get(thread.id)
    const { doc, toShared } = beneath(state)
    const words = range && plainBetween(doc, { from: toShared(range.from), to: toShared(range.to) })
    const reads = words?.startsWith(thread.place?.words ?? '') === true
    const before = this.#reads.get(thread.id) ?? true
    this.#reads.set(thread.id, reads)
    return before !== reads
  }
}
