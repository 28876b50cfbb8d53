/**
 * How a file looks that is on its way: of an image its picture from this device, how far it is, and
 * what can be done. Plain elements in the text, which the editor takes for none of its own.
 */
import { element } from '../platform/element.ts'
import type { ImageSize } from '../platform/image-sizes.ts'
import { isPage } from './file-rules.ts'
import type { WaitReason } from './upload-failure.ts'

export type UploadStage =
  /** `next`: for the others. */
  | { readonly kind: 'waiting'; readonly because: 'next' | WaitReason; readonly words: string }
  /** 0 to 1. */
  | { readonly kind: 'sending'; readonly part: number }
  /** The service has it; it comes into the text once that takes it. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly words: string; readonly isFinal: boolean }

export interface UploadViewParts {
  readonly dom: HTMLElement
  readonly name: string
  readonly file: Blob
  readonly onRetry: () => void
  /** Nothing of it comes into the text then. */
  readonly onRemove: () => void
}

export const waitingForOthers: UploadStage = {
  kind: 'waiting',
  because: 'next',
  words: 'Waiting for other uploads',
}

export class UploadView {
  readonly #dom: HTMLElement
  readonly #url: string
  readonly #picture = element('img')
  readonly #words = element('span', 'upload-words')
  readonly #line = element('span', 'upload-line')
  readonly #retry = button('Retry', 'button button-line')
  readonly #remove = button('Cancel', 'button button-line')

  constructor({ dom, name, file, onRetry, onRemove }: UploadViewParts) {
    this.#dom = dom
    this.#url = URL.createObjectURL(file)
    const said = name === '' ? 'Image' : name
    dom.className = 'upload'
    dom.contentEditable = 'false'
    dom.setAttribute('role', 'group')
    dom.setAttribute('aria-label', `${said}, uploading`)
    this.#words.setAttribute('role', 'status')
    this.#line.setAttribute('role', 'progressbar')
    this.#line.setAttribute('aria-label', said)
    this.#retry.addEventListener('click', onRetry)
    this.#remove.addEventListener('click', onRemove)
    const bar = element('span', 'upload-bar', this.#words, this.#retry, this.#remove)
    dom.replaceChildren(this.#face(file, said), this.#line, bar)
  }

  show(stage: UploadStage): void {
    const isRefused = stage.kind === 'refused'
    const part = stage.kind === 'sending' ? stage.part : stage.kind === 'sent' ? 1 : 0
    const words = wordsOf(stage)
    // Said again, it would be read out again.
    if (this.#words.textContent !== words) this.#words.textContent = words
    const isNext = stage.kind === 'waiting' && stage.because === 'next'
    this.#dom.dataset['stage'] = isNext ? 'next' : stage.kind
    this.#line.style.setProperty('--part', String(part))
    this.#line.setAttribute('aria-valuenow', String(Math.round(part * 100)))
    const isWaiting = stage.kind === 'waiting' && !isNext
    this.#retry.hidden = !(isWaiting || (isRefused && !stage.isFinal))
    this.#remove.hidden = stage.kind === 'sent'
    this.#remove.textContent = isRefused ? 'Remove' : 'Cancel'
  }

  #face(file: Blob, name: string): HTMLElement {
    if (isPage(file)) return element('span', 'upload-name', name)
    const picture = this.#picture
    picture.src = this.#url
    picture.alt = ''
    picture.decoding = 'async'
    picture.draggable = false
    return picture
  }

  /** Of its picture; nothing by nothing while the browser has not read it. */
  get size(): ImageSize {
    const { naturalWidth: width, naturalHeight: height } = this.#picture
    return { width, height }
  }

  close(): void {
    URL.revokeObjectURL(this.#url)
  }
}

function wordsOf(stage: UploadStage): string {
  switch (stage.kind) {
    case 'sending':
      return 'Uploading…'
    case 'sent':
      return 'Uploaded'
    case 'waiting':
    case 'refused':
      return stage.words
  }
}

function button(label: string, className: string): HTMLButtonElement {
  const made = element('button', className, label)
  made.type = 'button'
  return made
}
