/** Choosing a page of this device, which becomes an artifact where that was asked for. */
import type { EditorView } from 'prosemirror-view'
import { type PendingPlace, takePlace } from '../editor/binding/pending-places.ts'
import { artifactType } from './file-rules.ts'
import { bringFiles } from './uploads.ts'

export function chooseArtifact(view: EditorView, place: PendingPlace): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = `.html,.htm,${artifactType}`
  input.hidden = true
  const leave = () => {
    input.remove()
    return view.isDestroyed ? undefined : takePlace(view, place)
  }
  input.addEventListener('cancel', leave)
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])]
    bringFiles(view, files, leave()?.to)
  })
  // Some browsers forget one that is nowhere while its files are chosen.
  document.body.append(input)
  input.click()
}
