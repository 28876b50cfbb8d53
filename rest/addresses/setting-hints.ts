/**
 * Lines of the log that tell whoever runs the service which setting does not fit how it is reached.
 * Each is written once, and a few at most: they say nothing new the second time.
 */

interface WarningLog {
  warn(fields: object, message: string): void
}

const hintsMax = 32

export class Hints {
  readonly #logger: WarningLog
  readonly #given = new Set<string>()

  constructor(logger: WarningLog) {
    this.#logger = logger
  }

  /** `about` names what it is about. */
  once(about: string, fields: object, message: string): void {
    if (this.#given.has(about) || this.#given.size >= hintsMax) return
    this.#given.add(about)
    this.#logger.warn(fields, message)
  }
}
