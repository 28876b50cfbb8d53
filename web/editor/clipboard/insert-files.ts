/** What is in files of markdown, put into the text; loaded with the first of them. */
import type { Slice } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { limits } from '../../../schema/limits.ts'
import { notify } from '../../platform/notices.ts'
import { type PendingPlace, takePlace } from '../binding/pending-places.ts'
import { emptyParagraph } from '../model/empty.ts'
import { asNew } from './clipboard.ts'
import { textIn } from './file-text.ts'
import { filesSlice } from './markdown.ts'

/** `place`: between two blocks, when it was kept. */
export async function putIn(
  view: EditorView,
  files: readonly File[],
  place: PendingPlace,
): Promise<void> {
  const texts = await textsOf(files)
  if (view.isDestroyed) return
  const { from } = takePlace(view, place)
  if (texts === undefined || !view.editable) return
  const { tr, doc } = view.state
  const empty = emptyParagraph(view.state)
  const read = readBy(() => filesSlice(texts, empty === 0))
  if (read === undefined) return
  const slice = asNew(read, { kept: new Set(), view })
  if (empty === undefined) {
    const $from = doc.resolve(from)
    // Blocks that were joined there meanwhile stay whole.
    tr.insert($from.parent.isTextblock ? $from.after() : from, slice.content)
  } else tr.replaceWith(empty, doc.content.size, slice.content)
  view.dispatch(tr.setMeta('paste', true).scrollIntoView())
  view.focus()
}

/** Undefined: no document holds what it says, and that has been said. */
function readBy(read: () => Slice): Slice | undefined {
  try {
    return read()
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), 'problem')
    return undefined
  }
}

/** Undefined: one is too large, or no text; which has been said. */
async function textsOf(files: readonly File[]): Promise<readonly string[] | undefined> {
  const texts: string[] = []
  for (const file of files) {
    if (file.size > limits.markdownMaxBytes) {
      notify(`“${file.name}” is too large. Documents are limited to 4 MB.`, 'problem')
      return undefined
    }
    const text = textIn(new Uint8Array(await file.arrayBuffer()))
    if (text === undefined) {
      notify(`“${file.name}” is not a UTF-8 text file. Save it as UTF-8 and try again.`, 'problem')
      return undefined
    }
    texts.push(text)
  }
  return texts
}
