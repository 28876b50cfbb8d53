/**
 * Images and artifacts that are brought into the text: pasted, dropped or chosen. This part comes
 * with the page and only looks what is brought and by whom; what sends, shows and keeps is loaded
 * with the first one (`upload-queue.ts`). **Invariant:** nothing of a file is in the document before the
 * service has it.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { mayHaveUploads } from '../live/marked-uploads.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { isPage, isPicture, refusalHere, refusalOf, waitingMax } from './file-rules.ts'
import { Places, placesIn, placesKey, withPlaces } from './places.ts'
import type { NewUpload, UploadQueue } from './upload-queue.ts'

export interface UploadParts {
  readonly session: DocumentSession
  /** Between which blocks something dropped at this height goes. */
  readonly placeAt: (view: EditorView, y: number) => number | undefined
  readonly mayWrite: () => boolean
}

/** The hands that bring files into one view. */
interface Hands {
  take(files: readonly File[], pos?: number): void
  /** Why nothing can be brought; undefined: it can. */
  refusal(): string | undefined
}

const hands = new WeakMap<EditorView, Hands>()

/** Uploads these to there, or to where the caret is; says what cannot be. */
export const bringFiles = (view: EditorView, files: readonly File[], pos?: number): void =>
  hands.get(view)?.take(files, pos)

/** Why one cannot bring any; undefined: one can. */
export const whyNoImages = (view: EditorView): string | undefined => hands.get(view)?.refusal()

export function uploads(parts: UploadParts): Plugin<Places> {
  return new Plugin<Places>({
    key: placesKey,
    state: { init: () => Places.none, apply: (tr, places) => places.apply(tr) },
    props: {
      decorations: (state) => placesIn(state).drawn,
      handleDOMEvents: {
        paste(view, event) {
          const files = picturesAlone(event.clipboardData)
          if (files.length === 0) return false
          event.preventDefault()
          hands.get(view)?.take(files)
          return true
        },
        drop(view, event) {
          const files = [...(event.dataTransfer?.files ?? [])]
          if (files.length === 0) return false
          event.preventDefault()
          hands.get(view)?.take(files, parts.placeAt(view, event.clientY))
          return true
        },
      },
    },
    view(view) {
      const open = handsOn(view, parts)
      hands.set(view, open)
      return {
        update: (updated, { doc }) => open.update(doc !== updated.state.doc),
        destroy() {
          hands.delete(view)
          open.close()
        },
      }
    },
  })
}

/**
 * Pictures that come without words: what a spreadsheet or a word processor copies has a picture of
 * itself beside its cells and words, and these are what is meant.
 */
export function picturesAlone(data: DataTransfer | null): File[] {
  const pictures = [...(data?.files ?? [])].filter(isPicture)
  if (data === null || pictures.length === 0) return []
  const html = new DOMParser().parseFromString(data.getData('text/html'), 'text/html')
  for (const unseen of html.querySelectorAll('style, title')) unseen.remove()
  const words = html.documentElement.textContent ?? ''
  return `${data.getData('text/plain')}${words}`.trim() === '' ? pictures : []
}

function handsOn(view: EditorView, { session, mayWrite }: UploadParts) {
  let queue: Promise<UploadQueue> | undefined
  const opened = (): Promise<UploadQueue> => {
    queue ??= import('./upload-queue.ts').then(({ uploadQueueOf: deskOf }) => {
      const found = deskOf(session)
      if (!view.isDestroyed) found.attach(view)
      return found
    })
    queue.catch(() => {
      queue = undefined
    })
    return queue
  }
  const refusal = () =>
    refusalHere(session) ??
    (mayWrite() ? undefined : 'You are in viewing mode. To add images, switch to Editing.')
  // After a reload, or in another copy of the same document.
  if (mayHaveUploads(session.slug)) opened().catch(() => undefined)
  return {
    refusal,
    take(files: readonly File[], pos = view.state.selection.to) {
      const problem = refusal()
      if (problem !== undefined) {
        notify(problem, 'problem')
        return
      }
      const brought = placed(view, files.filter(isGood), pos)
      if (brought.length === 0) return
      opened().then(
        (found) => found.take(brought),
        () => {
          for (const { id } of brought) view.dispatch(withPlaces(view.state.tr, { gone: id }))
          const words = 'This could not be loaded. Reload the page when you are online.'
          notify(words, 'problem')
        },
      )
    },
    update(isChanged: boolean) {
      if (!isChanged || placesIn(view.state) === Places.none) return
      queue?.then((found) => found.moved()).catch(() => undefined)
    },
    close() {
      queue?.then((found) => found.detach(view)).catch(() => undefined)
    },
  }
}

/** Says why it is not. */
function isGood(file: File): boolean {
  const why = isPicture(file) || isPage(file) ? refusalOf(file) : `“${file.name}” is not an image.`
  if (why !== undefined) notify(why, 'problem')
  return why === undefined
}

/** Each has its place from now on, whatever is typed before anything is drawn there. */
function placed(view: EditorView, files: readonly File[], pos: number): readonly NewUpload[] {
  const room = Math.max(0, waitingMax - placesIn(view.state).all.length)
  if (files.length > room) {
    notify(`You can upload ${waitingMax} files at a time. Add the others later.`, 'problem')
  }
  const brought = files.slice(0, room).map((file) => {
    const dom = document.createElement('span')
    return { id: crypto.randomUUID(), pos, dom, name: file.name, file }
  })
  if (brought.length > 0) view.dispatch(withPlaces(view.state.tr, { added: brought }))
  return brought
}
