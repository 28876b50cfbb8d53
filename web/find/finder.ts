/**
 * Find and replace in the page's text. The match one is at is the editor's own selection, so that
 * it stays where it is whatever others write; matches on the screen are tinted without touching the
 * text's elements. It knows nothing of how the bar looks.
 */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { onViewUpdate } from '../editor/update-listeners.ts'
import { domRange, setHighlight } from '../editor/viewport/highlights.ts'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { replaceAll, replaceOne } from './replace.ts'
import { type Match, matchFrom, type Query, Search } from './search.ts'

export interface Found {
  readonly count: number
  /** The match one is at, counted from 1; `undefined`: at none. */
  readonly current: number | undefined
}

export interface Finder {
  readonly found: Readable<Found>
  /** Looks for another text, and goes to its first match from the caret on. */
  look(query: Query): void
  step(by: 1 | -1): void
  replace(text: string): void
  /** How many were replaced; `undefined`: there are more than can be at once. */
  replaceAll(text: string): number | undefined
  close(): void
}

const marginPx = 400
/** More would hold up the page for longer than anybody waits. */
export const replacedMax = 20_000

/** `author`: who this person is, as an actor. */
export function createFinder(view: EditorView, author: () => string | undefined): Finder {
  const found = createStore<Found>({ count: 0, current: undefined })
  let search = new Search({ text: '', matchesCase: false, wholeWords: false })
  let matches: readonly Match[] = []
  let origin = view.state.selection.from
  let frame = 0

  const currentIndex = (): number => {
    const { from, to } = view.state.selection
    const index = matchFrom(matches, from)
    const match = matches[index]
    return match?.from === from && match.to === to ? index : -1
  }
  const tell = () => {
    const index = currentIndex()
    const current = index < 0 ? undefined : index + 1
    const before = found.get()
    if (before.count === matches.length && before.current === current) return
    found.set({ count: matches.length, current })
  }
  const paint = () => {
    frame = 0
    if (view.isDestroyed) return
    const seen = visibleRange(view, marginPx)
    const current = matches[currentIndex()]
    const shown: Range[] = []
    for (let at = matchFrom(matches, seen.from); at < matches.length; at++) {
      const match = matches[at]
      if (match === undefined || match.from > seen.to) break
      if (match !== current) shown.push(domRange(view, match.from, match.to))
    }
    setHighlight('find-match', shown)
    setHighlight('find-current', current ? [domRange(view, current.from, current.to)] : [])
  }
  const repaint = () => {
    if (frame === 0) frame = requestAnimationFrame(paint)
  }
  const goTo = (index: number) => {
    const match = matches[index]
    if (match === undefined) return
    const { doc, tr } = view.state
    view.dispatch(tr.setSelection(TextSelection.create(doc, match.from, match.to)))
    scrollToPosition(view, match.from, 'instant')
  }
  const refresh = () => {
    matches = search.matchesIn(view.state.doc)
    tell()
    repaint()
  }
  const stopListening = onViewUpdate(view, (_, before) => {
    if (before.doc !== view.state.doc) refresh()
    else if (before.selection !== view.state.selection) {
      tell()
      repaint()
    }
  })
  window.addEventListener('scroll', repaint, { passive: true })
  window.addEventListener('resize', repaint)
  return {
    found,
    look(query) {
      search = new Search(query)
      matches = search.matchesIn(view.state.doc)
      if (matches.length > 0) goTo(matchFrom(matches, origin))
      tell()
      repaint()
    },
    step(by) {
      if (matches.length === 0) return
      const index = currentIndex()
      const { from } = view.state.selection
      const start = index >= 0 ? index + by : by > 0 ? matchFrom(matches, from) : beforeOf(from)
      goTo((start + matches.length) % matches.length)
      origin = view.state.selection.from
    },
    replace(text) {
      const match = matches[currentIndex()]
      if (match === undefined) return this.step(1)
      replaceOne(view, match, { text, author: author() })
      origin = match.from + text.length
      if (matches.length > 0) goTo(matchFrom(matches, origin))
    },
    replaceAll(text) {
      const count = matches.length
      if (count > replacedMax) return undefined
      if (count > 0) replaceAll(view, matches, { text, author: author() })
      return count
    },
    close() {
      stopListening()
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', repaint)
      window.removeEventListener('resize', repaint)
      setHighlight('find-match', [])
      setHighlight('find-current', [])
    },
  }

  /** The last match before a position. */
  function beforeOf(pos: number): number {
    const behind = matchFrom(matches, pos)
    return (matches[behind]?.from ?? 0) >= pos ? behind - 1 : matches.length - 1
  }
}
