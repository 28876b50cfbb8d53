/**
 * The others on the page, as one plugin: carets, flashes of what came in from elsewhere, chips for
 * what is off the screen, announcements. It changes nothing in the document and keeps nothing in
 * the editor's state, so that it costs a keystroke nothing.
 */
import type { EditorState } from 'prosemirror-state'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { positionsOf, relativePositionAt } from '../editor/binding/relative-positions.ts'
import { scrollToPosition } from '../editor/viewport/scrolling.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import { createAnnouncements } from './announcements.ts'
import { authorship } from './authorship.ts'
import { createChips } from './edit-chip.ts'
import { flash } from './flash.ts'
import { createFollowing } from './follow.ts'
import { drawGutter } from './gutter.ts'
import { openOverlay } from './overlay.ts'
import { announceOwnCaret } from './own-caret.ts'
import { peersOf } from './peers.ts'
import { drawRemoteCarets } from './remote-carets.ts'
import { watchRemoteDeletions } from './remote-deletions.ts'
import { type RemoteEdit, watchRemoteEdits } from './remote-edits.ts'
import { tintByAuthor } from './tinting.ts'

/** Whose edit does not tell whose it is. */
const somebody = 'unknown:unattributed'

export interface OthersParts {
  readonly session: DocumentSession
  readonly copy: Copy
}

export function othersPlugin(parts: OthersParts): Plugin {
  return new Plugin({ view: (view) => showOthers(view, parts) })
}

function showOthers(view: EditorView, { session, copy }: OthersParts) {
  const known = authorship(session)
  const { book, following, lastEdits, shown, visitors } = known
  const overlay = openOverlay(view)
  const carets = drawRemoteCarets({ view, copy, overlay, book })
  const own = announceOwnCaret(view, copy)
  const nameOf = (actor: string) => (actor === somebody ? 'Somebody' : book.author(actor).name)
  const chips = createChips(nameOf)
  const announcements = createAnnouncements(nameOf)
  following.attach(createFollowing(view, carets))
  const flashParts = { view, overlay, book }
  const tellEdit = (edit: RemoteEdit, isFirst: boolean) => {
    const actor = edit.author ?? somebody
    visitors.wrote(actor)
    announcements.changed(actor, blockAt(view, edit.from))
    rememberEdit(actor, edit)
    // While the page gives way to its source, there is nowhere to show it.
    if (view.dom.offsetParent === null) return
    const edge = edgeOf(view, edit)
    if (edge === undefined) flash(flashParts, edit, isFirst ? edit.author : undefined)
    else chips.tell(edge, actor, () => goTo(edit))
  }
  const rememberEdit = (actor: string, { author, from, to }: RemoteEdit) => {
    const { doc } = view.state
    const ends = [
      relativePositionAt(copy.fragment, doc, from),
      relativePositionAt(copy.fragment, doc, to),
    ]
    lastEdits.set(actor, () => {
      const [start, end] = positionsOf(copy.fragment, view.state.doc, ends)
      if (start !== undefined) goTo({ author, from: start, to: end ?? start })
    })
  }
  const goTo = (edit: RemoteEdit) => {
    scrollToPosition(view, clamped(view, edit).from)
    window.setTimeout(() => flash(flashParts, clamped(view, edit), edit.author), 400)
  }
  const stopWatching = watchRemoteEdits(
    { copy, doc: () => view.state.doc, isLoaded: () => session.hasArrived.get() },
    ({ writers, edits }) => {
      for (const client of writers) carets.notice(client)
      announceWriters(writers)
      requestAnimationFrame(() => {
        if (view.isDestroyed) return
        for (const [index, edit] of edits.entries()) tellEdit(clamped(view, edit), index === 0)
      })
      overlay.invalidate()
    },
  )
  const stopWatchingDeletions = watchRemoteDeletions({ session, copy }, ({ actor, positions }) => {
    const found = positionsOf(copy.fragment, view.state.doc, positions)
    for (const [index, pos] of found.filter((one) => one !== undefined).entries()) {
      tellEdit(clamped(view, { author: actor, from: pos, to: pos }), index === 0)
    }
  })
  const announceWriters = (writers: ReadonlySet<number>) => {
    if (writers.size === 0) return
    for (const { client, actor, cursor } of peersOf(copy.awareness)) {
      if (!writers.has(client) || cursor === undefined) continue
      const [pos] = positionsOf(copy.fragment, view.state.doc, [cursor.head])
      if (pos === undefined) continue
      announcements.changed(actor, blockAt(view, pos))
    }
  }
  const stopRenaming = book.changes.subscribe(chips.refresh)
  const stopGutter = drawGutter({ view, overlay, book, shown })
  const tinting = tintByAuthor(view, known)
  return {
    update(_: EditorView, before: EditorState) {
      const docChanged = before.doc !== view.state.doc
      if (docChanged) overlay.invalidate()
      tinting.update(docChanged)
      own.update()
    },
    destroy() {
      stopRenaming()
      stopGutter()
      tinting.destroy()
      stopWatching()
      stopWatchingDeletions()
      following.detach()
      lastEdits.clear()
      own.destroy()
      carets.destroy()
      chips.destroy()
      announcements.destroy()
      overlay.destroy()
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

const barPx = 48

/** Behind which edge of the window an edit is; undefined when it begins on the screen. */
function edgeOf(view: EditorView, { from, to }: RemoteEdit): 'above' | 'below' | undefined {
  const seen = visibleRange(view)
  if (to < seen.from) return 'above'
  if (from >= seen.to) return 'below'
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to)]
  if (end.bottom <= barPx) return 'above'
  return start.top >= window.innerHeight ? 'below' : undefined
}
