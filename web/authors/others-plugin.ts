/**
 * The others on the page, as one plugin: carets, flashes of what came in from elsewhere, chips for
 * what is off the screen, announcements. It changes nothing in the document and keeps nothing in
 * the editor's state, so that it costs a keystroke nothing.
 */
import type { EditorState } from 'prosemirror-state'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { beneath } from '../editor/binding/layer.ts'
import { placesOf } from '../editor/binding/places.ts'
import type { Copy, DocumentSession } from '../live/session.ts'
import { attributeEdits } from './attributed-edits.ts'
import { authorship } from './authorship.ts'
import { createEditNotices } from './edit-notices.ts'
import { createFollowing } from './follow.ts'
import { drawGutter } from './gutter.ts'
import { openOverlay } from './overlay.ts'
import { announceOwnCaret } from './own-caret.ts'
import { drawRemoteCarets } from './remote-carets.ts'
import { watchRemoteDeletions } from './remote-deletions.ts'
import { watchRemoteEdits } from './remote-edits.ts'
import { tintByAuthor } from './tinting.ts'

export interface OthersParts {
  readonly session: DocumentSession
  readonly copy: Copy
}

export function othersPlugin(parts: OthersParts): Plugin {
  return new Plugin({ view: (view) => showOthers(view, parts) })
}

function showOthers(view: EditorView, { session, copy }: OthersParts) {
  const known = authorship(session)
  const { book, following, shown } = known
  const overlay = openOverlay(view)
  const carets = drawRemoteCarets({ view, copy, overlay, book })
  const own = announceOwnCaret(view, copy)
  const notices = createEditNotices({ view, copy, overlay, authorship: known })
  following.attach(createFollowing(view, carets))
  const attributed = attributeEdits(session, (edits) => {
    requestAnimationFrame(() => {
      if (view.isDestroyed) return
      const { toShown } = beneath(view.state)
      notices.tell(
        edits.map(({ from, to, ...edit }) => ({ ...edit, from: toShown(from), to: toShown(to) })),
      )
    })
  })
  const stopWatching = watchRemoteEdits(
    { copy, doc: () => beneath(view.state).doc, isLoaded: () => session.hasArrived.get() },
    ({ writers, edits }) => {
      for (const client of writers) carets.notice(client)
      notices.announceWriters(writers)
      attributed.add(edits)
      overlay.invalidate()
    },
  )
  const stopWatchingDeletions = watchRemoteDeletions({ session, copy }, ({ actor, positions }) => {
    const found = placesOf(copy.fragment, view.state, positions)
    const inText = found.filter((pos) => pos !== undefined)
    notices.tell(inText.map((pos) => ({ author: actor, from: pos, to: pos })))
  })
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
      stopGutter()
      tinting.destroy()
      stopWatching()
      attributed.stop()
      stopWatchingDeletions()
      following.detach()
      notices.destroy()
      own.destroy()
      carets.destroy()
      overlay.destroy()
    },
  }
}
