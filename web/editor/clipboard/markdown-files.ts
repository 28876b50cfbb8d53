/**
 * Files of markdown, chosen or dropped: into an empty document as all of it, into any other where
 * they were dropped. What is in them is one undo step, and its writer is who brought it.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { notify } from '../../platform/notices.ts'
import { keepPlace } from '../binding/pending-places.ts'

export const markdownFiles = '.md,.markdown,.mdown,.txt,text/markdown,text/plain'

const isMarkdown = ({ name, type }: File): boolean =>
  /\.(?:md|markdown|mdown|txt)$/i.test(name) || /^text\/(?:markdown|plain)$/.test(type)

/** Takes over the drop of files that are all markdown. */
export function markdownDrop(placeAt: (view: EditorView, y: number) => number | undefined): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        drop(view, event) {
          const files = [...(event.dataTransfer?.files ?? [])]
          if (!view.editable || files.length === 0 || !files.every(isMarkdown)) return false
          event.preventDefault()
          const pos = placeAt(view, event.clientY)
          bringIn(view, files, pos)
          return true
        },
      },
    },
  })
}

/** `pos`: between two blocks; without it after the last. */
export function bringIn(
  view: EditorView,
  files: readonly File[],
  pos = view.state.doc.content.size,
): void {
  const place = keepPlace(view, { from: pos, to: pos })
  import('./insert-files.ts').then(
    ({ putIn }) => putIn(view, files, place),
    () => notify('This file could not be read. Reload the page when you are online.', 'problem'),
  )
}
