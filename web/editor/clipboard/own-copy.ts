/**
 * What was last copied of the text itself, where that is much: pasted while the clipboard still has
 * it, it is taken as it was, for to read its HTML takes longer than to draw it.
 */
import type { Slice } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'

/** Positions; of less the HTML is read as quickly. */
const muchFrom = 50_000
/** A browser may put before it how it is encoded. */
const prefixMax = 100

export class OwnCopy {
  #slice: Slice | undefined
  #html = ''

  /** Within the event, while what is copied is selected. */
  begin({ selection }: EditorState): void {
    const slice = selection.content()
    this.#slice = slice.size < muchFrom ? undefined : slice
  }

  /** Behind what answers the event. */
  end({ clipboardData }: ClipboardEvent): void {
    if (this.#slice === undefined) return
    this.#html = clipboardData?.getData('text/html') ?? ''
    if (this.#html === '') this.#slice = undefined
  }

  /** Of what this is the HTML. */
  sliceOf(clipboardData: DataTransfer): Slice | undefined {
    if (this.#slice === undefined) return undefined
    const html = clipboardData.getData('text/html')
    const isOwn = html.length - this.#html.length < prefixMax && html.endsWith(this.#html)
    return isOwn ? this.#slice : undefined
  }
}
