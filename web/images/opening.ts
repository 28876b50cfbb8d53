/**
 * Opening an image large: by a click where one only reads, where one writes by a click on the image
 * that is selected, or Enter. What shows it is loaded then.
 */
import { NodeSelection, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { notify } from '../platform/notices.ts'

/** Shows it large, with the others of the same text before and behind it. */
export function openImage(picture: HTMLImageElement): void {
  import('./lightbox.ts').then(
    ({ showLarge }) => showLarge(picture),
    () => {
      const words = 'This could not be loaded. Reload the page when you are online.'
      notify(words, 'problem')
    },
  )
}

/** The picture of the image that is selected, if it is shown. */
export function selectedPicture(view: EditorView): HTMLImageElement | undefined {
  const { selection } = view.state
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'image')
    return undefined
  const dom = view.nodeDOM(selection.from)
  const found = dom instanceof HTMLElement ? dom.querySelector('img') : null
  return found ?? undefined
}

export function imageKeys(): Plugin {
  return new Plugin({
    props: {
      handleKeyDown(view, { key, shiftKey, ctrlKey, metaKey, altKey }) {
        if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || altKey) return false
        const picture = selectedPicture(view)
        if (picture !== undefined) openImage(picture)
        return picture !== undefined
      },
    },
  })
}
