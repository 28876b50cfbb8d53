/** Reading again what others may have changed: one at a time, and what was asked last is shown. */
import type { DocumentSession } from '../live/session.ts'

/** Calls back when the page is back from where it could hear nothing. */
function onceBack({ saveState }: DocumentSession, listener: () => void): () => void {
  const isAway = () => ['loading', 'offline', 'reconnecting'].includes(saveState.get().kind)
  let wasAway = isAway()
  return saveState.subscribe(() => {
    const isBack = wasAway && !isAway()
    wasAway = isAway()
    if (isBack) listener()
  })
}

/** What others change in so short a time is read together. */
const readAfterMs = 300

export class Refresher {
  readonly #read: () => Promise<void>
  readonly #leave = new AbortController()
  #underWay: Promise<void> | undefined
  #isWanted = false
  #timer: number | undefined

  /** `read` shows what it finds; once this is closed it is not called any more. */
  constructor(session: DocumentSession, read: () => Promise<void>) {
    this.#read = read
    const { signal } = this.#leave
    const soon = () => this.#soon()
    const stops = [
      session.onEvent((event) => {
        if (event.type === 'doc_changed' && event.event === 'access') soon()
      }),
      onceBack(session, soon),
    ]
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop()
    })
    window.addEventListener('focus', soon, { signal })
    void this.now()
  }

  get isClosed(): boolean {
    return this.#leave.signal.aborted
  }

  /** Resolves when what is true now was read; two who ask meanwhile wait for the same. */
  now(): Promise<void> {
    this.#isWanted = true
    this.#underWay ??= this.#whileWanted().finally(() => {
      this.#underWay = undefined
    })
    return this.#underWay
  }

  close(): void {
    this.#leave.abort()
    window.clearTimeout(this.#timer)
  }

  #soon(): void {
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined
      void this.now()
    }, readAfterMs)
  }

  async #whileWanted(): Promise<void> {
    while (this.#isWanted && !this.isClosed) {
      this.#isWanted = false
      await this.#read()
    }
  }
}
