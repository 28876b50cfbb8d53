/**
 * Where something was asked for that is done when a part of the page has come: places that follow
 * every change meanwhile. What hands write over a place is theirs: it is a point before that from
 * then on. Of several at one point the order is that in which they were asked for.
 */
import {
  type EditorState,
  NodeSelection,
  Plugin,
  PluginKey,
  type Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'
import { isFromYjs } from './change-origin.ts'

/** Names a place that is kept. */
export interface PendingPlace {
  readonly isNode: boolean
}

interface Change {
  readonly place: PendingPlace
  readonly is: DocRange | 'acting' | 'gone'
}

interface Kept {
  readonly places: ReadonlyMap<PendingPlace, DocRange>
  /** What is written now is written for this one. */
  readonly acting?: PendingPlace | undefined
}

const key = new PluginKey<Kept>('kept-places')

export function pendingPlaces(): Plugin<Kept> {
  return new Plugin<Kept>({
    key,
    state: { init: () => ({ places: new Map() }), apply: (tr, kept) => applied(tr, kept) },
  })
}

function applied(tr: Transaction, kept: Kept): Kept {
  const change = tr.getMeta(key) as Change | undefined
  if (change === undefined && (!tr.docChanged || kept.places.size === 0)) return kept
  const places = new Map<PendingPlace, DocRange>()
  let isLater = false
  for (const [place, range] of kept.places) {
    places.set(place, followed(range, tr, isLater))
    isLater ||= place === kept.acting
  }
  if (change === undefined) return { ...kept, places }
  const { place, is } = change
  if (is === 'acting') return { places, acting: place }
  if (is === 'gone') places.delete(place)
  else places.set(place, is)
  return { places }
}

function followed({ from, to }: DocRange, tr: Transaction, isLater: boolean): DocRange {
  let isWrittenOver = false
  for (const map of tr.mapping.maps) {
    const [start, end] = [from, to]
    map.forEach((changed, changedEnd) => {
      isWrittenOver ||= changed < end && changedEnd > start
    })
    const isPoint = start === end
    from = map.map(start, isPoint && !isLater ? -1 : 1)
    to = isPoint ? from : Math.max(from, map.map(end, -1))
  }
  return isWrittenOver && !isFromYjs(tr) ? { from, to: from } : { from, to }
}

const tell = (view: EditorView, change: Change): void =>
  view.dispatch(view.state.tr.setMeta(key, change).setMeta('addToHistory', false))

/** Follows these from now on; without any, what is selected. */
export function keepPlace(view: EditorView, range: DocRange = view.state.selection): PendingPlace {
  const place = { isNode: range instanceof NodeSelection }
  tell(view, { place, is: { from: range.from, to: range.to } })
  return place
}

export const placeNow = (state: EditorState, place: PendingPlace): DocRange =>
  key.getState(state)?.places.get(place) ?? state.selection

/** Where it is now, and no longer followed. */
export function takePlace(view: EditorView, place: PendingPlace): DocRange {
  const range = placeNow(view.state, place)
  tell(view, { place, is: 'gone' })
  return range
}

/** With that place selected; the selection is what it was afterwards, if it was another. */
export function actAt(view: EditorView, place: PendingPlace, act: () => void): void {
  if (view.isDestroyed) return
  const { selection } = view.state
  const range = placeNow(view.state, place)
  const isThere = selection.from === range.from && selection.to === range.to
  const before = isThere ? undefined : keepPlace(view)
  if (before !== undefined) select(view, place, range)
  tell(view, { place, is: 'acting' })
  try {
    act()
  } finally {
    if (!view.isDestroyed) {
      takePlace(view, place)
      if (before !== undefined) select(view, before, takePlace(view, before))
    }
  }
}

function select(view: EditorView, { isNode }: PendingPlace, { from, to }: DocRange): void {
  const { doc, tr } = view.state
  const isStill = isNode && doc.nodeAt(from)?.nodeSize === to - from
  const selection: Selection = isStill
    ? NodeSelection.create(doc, from)
    : TextSelection.between(doc.resolve(from), doc.resolve(to))
  view.dispatch(tr.setSelection(selection).setMeta('addToHistory', false))
}
