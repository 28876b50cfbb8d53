/** Puts an image of this device in the place of one in the text, which keeps its description. */
import type { Node } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import { absolute } from '../api/base.ts'
import { ApiError } from '../api/http.ts'
import { troubleWords } from '../api/trouble.ts'
import { sendImage } from '../api/uploads.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { refusalHere, refusalOf } from '../uploads/file-rules.ts'

export interface ReplacedImage {
  readonly session: DocumentSession
  readonly view: EditorView
  /** Where the image stands. */
  readonly pos: number
}

/** The old image stays until the service has the new one. */
export async function replaceImage(
  { session, view, pos }: ReplacedImage,
  file: File,
): Promise<void> {
  const why = refusalHere(session) ?? refusalOf(file)
  if (why !== undefined) return void notify(why, 'problem')
  const src: unknown = view.state.doc.nodeAt(pos)?.attrs['src']
  const done = notify('Uploading the image…')
  try {
    if (session.account.get() === undefined) await session.takeAccount()
    const sending = { onProgress: () => {}, signal: new AbortController().signal }
    const { url } = await sendImage(session.slug, file, sending)
    done()
    if (view.isDestroyed || !view.editable) return
    const at = placeOf(view.state.doc, { src, pos })
    if (at === undefined) return void notify('The image was removed from the document.', 'problem')
    view.dispatch(view.state.tr.setNodeAttribute(at, 'src', absolute(url)))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    done()
    notify(troubleWords(error), 'problem')
  }
}

/** What was typed meanwhile may have moved it. */
function placeOf(
  doc: Node,
  { src, pos }: { readonly src: unknown; readonly pos: number },
): number | undefined {
  let nearest: number | undefined
  doc.descendants((node, at) => {
    if (node.type.name !== 'image' || node.attrs['src'] !== src) return
    if (nearest === undefined || Math.abs(at - pos) < Math.abs(nearest - pos)) nearest = at
  })
  return nearest
}
