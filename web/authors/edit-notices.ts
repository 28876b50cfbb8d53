/**
 * How an edit from elsewhere is told: flashed where it is on the screen, by a chip where it is off,
 * announced, and remembered, so that one can go there later.
 */
import type { EditorView } from 'prosemirror-view'
import { placesOf, relativePlaceAt } from '../editor/binding/places.ts'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import type { Copy } from '../live/session.ts'
import { coveredTop } from '../platform/docked.ts'
import { createAnnouncements } from './announcements.ts'
import type { Authorship } from './authorship.ts'
import { createChips } from './edit-chip.ts'
import { flash } from './flash.ts'
import type { Overlay } from './overlay.ts'
import { peersOf } from './peers.ts'
import type { RemoteEdit } from './remote-edits.ts'

/** Whose edit does not tell whose it is. */
const somebody = 'unknown:unattributed'
const flashAfterMs = 400

export interface EditNotices {
  /** Only the first of several edits at once is flashed under its author's name. */
  tell(edits: readonly RemoteEdit[]): void
  /** Says of those who are seen writing, by their clientIDs, where their carets are. */
  announceWriters(writers: ReadonlySet<number>): void
  destroy(): void
}

export interface NoticeParts {
  readonly view: EditorView
  readonly copy: Copy
  readonly overlay: Overlay
  readonly authorship: Authorship
}

export function createEditNotices(parts: NoticeParts): EditNotices {
  const { view, copy, overlay, authorship } = parts
  const { book, lastEdits, visitors } = authorship
  const nameOf = (actor: string) => (actor === somebody ? 'Someone' : book.author(actor).name)
  const chips = createChips(nameOf)
  const announcements = createAnnouncements(nameOf)
  const stopRenaming = book.changes.subscribe(chips.refresh)
  const flashParts = { view, overlay, book }
  const goTo = (edit: RemoteEdit) => {
    scrollToPosition(view, clamped(view, edit).from)
    window.setTimeout(() => flash(flashParts, clamped(view, edit), edit.author), flashAfterMs)
  }
  const remember = (actor: string, { author, from, to }: RemoteEdit) => {
    const { state } = view
    const ends = [from, to].map((pos) => relativePlaceAt(copy.fragment, state, pos))
    lastEdits.set(actor, () => {
      const [start, end] = placesOf(copy.fragment, view.state, ends)
      if (start !== undefined) goTo({ author, from: start, to: end ?? start })
    })
  }
  const tellOne = (edit: RemoteEdit, isFirst: boolean) => {
    const actor = edit.author ?? somebody
    visitors.wrote(actor)
    announcements.changed(actor, blockAt(view, edit.from))
    remember(actor, edit)
    // While the page gives way to its source, there is nowhere to show it.
    if (view.dom.offsetParent === null) return
    const edge = edgeOf(view, edit)
    if (edge === undefined) flash(flashParts, edit, isFirst ? edit.author : undefined)
    else chips.tell(edge, actor, () => goTo(edit))
  }
  return {
    tell(edits) {
      for (const [index, edit] of edits.entries()) tellOne(clamped(view, edit), index === 0)
    },
    announceWriters(writers) {
      if (writers.size === 0) return
      for (const { client, actor, cursor } of peersOf(copy.awareness)) {
        if (!writers.has(client) || cursor === undefined) continue
        const [pos] = placesOf(copy.fragment, view.state, [cursor.head])
        if (pos !== undefined) announcements.changed(actor, blockAt(view, pos))
      }
    },
    destroy() {
      stopRenaming()
      lastEdits.clear()
      chips.destroy()
      announcements.destroy()
    },
  }
}

function clamped(view: EditorView, edit: RemoteEdit): RemoteEdit {
  const { size } = view.state.doc.content
  return { ...edit, from: Math.min(edit.from, size), to: Math.min(edit.to, size) }
}

function blockAt(view: EditorView, pos: number): { key: number; kind: string } {
  const { doc } = view.state
  const at = doc.resolve(Math.min(pos, doc.content.size))
  const node = at.depth === 0 ? at.nodeAfter : at.node(1)
  return { key: at.depth === 0 ? at.pos : at.before(1), kind: node?.type.name ?? 'paragraph' }
}

/** Behind which edge of the window an edit is; undefined when it begins on the screen. */
function edgeOf(view: EditorView, { from, to }: RemoteEdit): 'above' | 'below' | undefined {
  const seen = visibleRange(view)
  if (to < seen.from) return 'above'
  if (from >= seen.to) return 'below'
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to)]
  if (end.bottom <= coveredTop()) return 'above'
  return start.top >= window.innerHeight ? 'below' : undefined
}
