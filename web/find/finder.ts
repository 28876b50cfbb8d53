/**
 * Find and replace in the page's text. The match one is at is the editor's own selection, so that
 * it stays where it is whatever others write; matches on the screen are tinted without touching the
 * text's elements. It knows nothing of how the bar looks.
 */
import { type EditorState, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { lastAtMost } from '../../schema/markdown/bisect.ts'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { domRange, setHighlight } from '../editor/viewport/highlights.ts'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { replace, replaceAll } from './replace.ts'
import { type Match, matchFrom, type Query, Search } from './search.ts'

export interface Found {
  readonly count: number
  /** The match one is at, counted from 1; `undefined`: at none. */
  readonly current: number | undefined
}

const marginPx = 400
/** They are tinted without being looked for on the screen. */
const fewMatches = 100
/** More would hold up the page for longer than anybody waits. */
export const replacedMax = 20_000

export class Finder {
  readonly #view: EditorView
  /** Who this person is, as an actor. */
  readonly #author: () => string | undefined
  readonly #found = createStore<Found>({ count: 0, current: undefined })
  readonly #stopListening: () => void
  #search = new Search({ text: '', matchesCase: false, wholeWords: false })
  #matches: readonly Match[] = []
  /** From where on the first match is looked for. */
  #origin: number
  #frame = 0

  constructor(view: EditorView, author: () => string | undefined) {
    this.#view = view
    this.#author = author
    this.#origin = view.state.selection.from
    this.#stopListening = onViewUpdate(view, (_, before) => this.#onUpdate(before))
    window.addEventListener('scroll', this.#repaint, { passive: true })
    window.addEventListener('resize', this.#repaint)
  }

  get found(): Readable<Found> {
    return this.#found
  }

  /** Looks for another text, and goes to its first match from the caret on. */
  look(query: Query): void {
    this.#search = new Search(query)
    this.#matches = this.#search.matchesIn(this.#view.state.doc)
    if (this.#matches.length > 0) this.#goTo(matchFrom(this.#matches, this.#origin))
    this.#tell()
    this.#repaint()
  }

  step(by: 1 | -1): void {
    const matches = this.#matches
    if (matches.length === 0) return
    const index = this.#currentIndex()
    const { from } = this.#view.state.selection
    const beside = () => (by > 0 ? matchFrom(matches, from) : matchBefore(matches, from))
    const next = index >= 0 ? index + by : beside()
    this.#goTo((next + matches.length) % matches.length)
    this.#origin = this.#view.state.selection.from
  }

  replace(text: string): void {
    const match = this.#matches[this.#currentIndex()]
    if (match === undefined) {
      this.step(1)
      return
    }
    replace(this.#view, [match], { text, author: this.#author() })
    this.#origin = match.from + text.length
    if (this.#matches.length > 0) this.#goTo(matchFrom(this.#matches, this.#origin))
  }

  /** How many were replaced; `undefined`: there are more than can be at once. */
  replaceAll(text: string): number | undefined {
    const count = this.#matches.length
    if (count > replacedMax) return undefined
    if (count > 0) replaceAll(this.#view, this.#matches, { text, author: this.#author() })
    return count
  }

  close(): void {
    this.#stopListening()
    cancelAnimationFrame(this.#frame)
    window.removeEventListener('scroll', this.#repaint)
    window.removeEventListener('resize', this.#repaint)
    setHighlight('find-match', [])
    setHighlight('find-current', [])
  }

  /** Of the match that is selected; -1 where none is. */
  #currentIndex(): number {
    const { from, to } = this.#view.state.selection
    const index = matchFrom(this.#matches, from)
    const match = this.#matches[index]
    return match?.from === from && match.to === to ? index : -1
  }

  #onUpdate(before: EditorState): void {
    const { doc, selection } = this.#view.state
    if (before.doc !== doc) this.#matches = this.#search.matchesIn(doc)
    else if (before.selection === selection) return
    this.#tell()
    this.#repaint()
  }

  #tell(): void {
    const index = this.#currentIndex()
    const current = index < 0 ? undefined : index + 1
    const count = this.#matches.length
    const before = this.#found.get()
    if (before.count !== count || before.current !== current) this.#found.set({ count, current })
  }

  #goTo(index: number): void {
    const match = this.#matches[index]
    if (match === undefined) return
    const { doc, tr } = this.#view.state
    this.#view.dispatch(tr.setSelection(TextSelection.create(doc, match.from, match.to)))
    scrollToPosition(this.#view, match.from, 'instant')
  }

  readonly #repaint = (): void => {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#paint)
  }

  readonly #paint = (): void => {
    this.#frame = 0
    const view = this.#view
    if (view.isDestroyed) return
    const current = this.#matches[this.#currentIndex()]
    const rangeOf = ({ from, to }: Match) => domRange(view, from, to)
    const others = this.#onScreen(rangeOf).filter((match) => match !== current)
    setHighlight('find-match', others.map(rangeOf))
    setHighlight('find-current', current ? [rangeOf(current)] : [])
  }

  /** A block may be many screens long: a tint for each of its matches would slow down each key. */
  #onScreen(rangeOf: (match: Match) => Range): readonly Match[] {
    const seen = visibleRange(this.#view, marginPx)
    const inBlocks = between(this.#matches, [seen.from, seen.to], {
      endOf: ({ to }) => to,
      startOf: ({ from }) => from,
    })
    if (inBlocks.length < fewMatches) return inBlocks
    const boxOf = (match: Match) => rangeOf(match).getBoundingClientRect()
    return between(inBlocks, [-marginPx, window.innerHeight + marginPx], {
      endOf: (match) => boxOf(match).bottom,
      startOf: (match) => boxOf(match).top,
    })
  }
}

interface Ends {
  readonly startOf: (match: Match) => number
  readonly endOf: (match: Match) => number
}

/** Of matches in order those that reach into a stretch. */
function between(
  matches: readonly Match[],
  [start, end]: readonly [number, number],
  { startOf, endOf }: Ends,
): readonly Match[] {
  const at = (index: number) => matches[index] as Match
  const before = lastAtMost(matches.length, start, (index) => endOf(at(index)))
  const last = lastAtMost(matches.length, end, (index) => startOf(at(index)))
  return matches.slice(before + 1, last + 1)
}

/** The last match before a position; the last of all when none is. */
function matchBefore(matches: readonly Match[], pos: number): number {
  const behind = matchFrom(matches, pos)
  return (matches[behind]?.from ?? 0) >= pos ? behind - 1 : matches.length - 1
}
