/**
 * One file from when it is brought until the service has it. Waits while there is no line or the
 * service is busy; what is refused stays to be seen. Knows no editor.
 */

import { absolute } from '../api/base.ts'
import { ApiError } from '../api/http.ts'
import { sendArtifact, sendImage } from '../api/uploads.ts'
import type { DocumentSession } from '../live/session.ts'
import { isPage } from './file-rules.ts'
import { uploadFailureOf } from './upload-failure.ts'
import { type UploadStage, waitingForOthers } from './upload-view.ts'

export interface UploadHost {
  readonly session: DocumentSession
  /** Another stage: shown, and whoever waits for a turn may have one. */
  readonly onStage: (upload: Upload) => void
}

const againAfterMs = 5_000
const againAtMostMs = 60_000

export class Upload {
  readonly file: Blob
  /** Its address, once the service has it. */
  src: string | undefined
  readonly #host: UploadHost
  readonly #gone = new AbortController()
  #stage: UploadStage = waitingForOthers
  #timer: number | undefined
  #tried = 0

  constructor(file: Blob, host: UploadHost, src?: string) {
    this.file = file
    this.#host = host
    this.src = src
    if (src !== undefined) this.#stage = { kind: 'sent' }
  }

  get stage(): UploadStage {
    return this.#stage
  }

  /** Takes a turn; what becomes of it is its stage. */
  async send(): Promise<void> {
    const { session } = this.#host
    window.clearTimeout(this.#timer)
    this.#set({ kind: 'sending', part: 0 })
    const { signal } = this.#gone
    try {
      if (session.account.get() === undefined) await session.takeAccount()
      signal.throwIfAborted()
      const onProgress = (part: number) => this.#set({ kind: 'sending', part })
      const send = isPage(this.file) ? sendArtifact : sendImage
      const { url } = await send(session.slug, this.file, { onProgress, signal })
      // A fence holds the relative address, and nothing else is one.
      this.src = isPage(this.file) ? url : absolute(url)
      this.#set({ kind: 'sent' })
    } catch (error) {
      if (!signal.aborted) this.#failed(error)
    }
  }

  /** It may go out again, when it is its turn. */
  wake(): void {
    window.clearTimeout(this.#timer)
    this.#set(waitingForOthers)
  }

  cancel(): void {
    window.clearTimeout(this.#timer)
    this.#gone.abort(new ApiError(0, 'CANCELLED', 'The upload was cancelled.'))
  }

  #failed(error: unknown): void {
    const failure = uploadFailureOf(error)
    if (failure.kind === 'refused') {
      const { words, isFinal } = failure
      this.#set({ kind: 'refused', words, isFinal })
      return
    }
    const ms = failure.afterMs ?? Math.min(againAtMostMs, againAfterMs * 2 ** this.#tried++)
    this.#timer = window.setTimeout(() => this.wake(), ms)
    const { because, words } = failure
    this.#set({ kind: 'waiting', because, words })
  }

  #set(stage: UploadStage): void {
    this.#stage = stage
    this.#host.onStage(this)
  }
}
