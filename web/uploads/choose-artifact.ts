/** Choosing a page of this device, which becomes an artifact where the caret is. */
import type { EditorView } from 'prosemirror-view'
import { artifactType } from './judging.ts'
import { bringFiles } from './uploads.ts'

export function chooseArtifact(view: EditorView): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = `.html,.htm,${artifactType}`
  input.hidden = true
  input.addEventListener('cancel', () => input.remove())
  input.addEventListener('change', () => {
    input.remove()
    bringFiles(view, [...(input.files ?? [])])
  })
  // Some browsers forget one that is nowhere while its files are chosen.
  document.body.append(input)
  input.click()
}
