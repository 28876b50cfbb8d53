/**
 * Why an update is not admitted, thrown and caught within this folder only. 4403: bytes or content
 * that no stock client of this schema sends; 4409: the copy claims more of the document's history
 * than there is; 4413: over a bound; 1013: may be right later.
 */
export type RefusalClose = 4403 | 4409 | 4413 | 1013

export class Unfit extends Error {
  readonly close: RefusalClose

  constructor(close: RefusalClose, reason: string) {
    super(reason)
    this.name = 'Unfit'
    this.close = close
  }
}

/** The update refers to structs that are not there (yet): it may wait for them. */
export class Gap extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Gap'
  }
}

/** Merging the update would take more looks than it may. */
export class Costly extends Error {
  constructor() {
    super('the update would take too long to merge')
    this.name = 'Costly'
  }
}
