/**
 * How a store fails as a whole, beside `StoreDamage` of one record: it was closed, a write failed
 * and its outcome is unknown, or its files are not what was written. None of them reaches a client
 * as it is.
 */
import { Refusal } from '../schema/errors.ts'

/** The store was closed, or is closing: this call came too late. */
export class StoreClosed extends Error {
  constructor() {
    super('the store is closed')
    this.name = 'StoreClosed'
  }
}

/**
 * A write failed, so what is on disk is unknown. Every commit of that write and every later one is
 * rejected with this error until the store is opened anew; reads still answer with durable data.
 */
export class StoreFailed extends Error {
  constructor(
    cause: unknown,
    message = 'a write to the store failed; it takes no more commits until it is reopened',
  ) {
    super(message, { cause })
    this.name = 'StoreFailed'
  }
}

/**
 * The database did not say in time whether this commit came to be, so nobody knows yet. The store
 * finds out before it writes anything else, and takes commits as before.
 */
export class OutcomeUnknown extends StoreFailed {
  constructor(cause: unknown) {
    super(cause, 'the database did not confirm a commit in time')
    this.name = 'OutcomeUnknown'
  }
}

/** The database does not answer. Nothing was done. */
export class StoreUnavailable extends Refusal {
  constructor(cause?: unknown) {
    super('UNAVAILABLE', { retry_after: 2 }, 'The database is not responding. Try again later.')
    this.name = 'StoreUnavailable'
    this.cause = cause
  }
}

/** The disk is full: nothing is written until it has room again; reads are answered. */
export class StoreFull extends Refusal {
  constructor() {
    super(
      'UNAVAILABLE',
      { retry_after: 10 },
      'The disk is full, so only reads work. Try again later.',
    )
    this.name = 'StoreFull'
  }
}

/** The disk took no more of what was being written. */
export class DiskFull extends Error {
  constructor(cause: unknown) {
    super('the disk is full', { cause })
    this.name = 'DiskFull'
  }
}

/** Another process has this directory open. */
export class StoreInUse extends Error {
  constructor(directory: string) {
    super(`${directory} is in use by another process`)
    this.name = 'StoreInUse'
  }
}

/** The store's keys are laid out in a way that this service does not know. */
export class UnknownLayout extends Error {
  constructor(layout: number) {
    super(
      `the store has layout ${layout}, which this version does not support: run a newer version`,
    )
    this.name = 'UnknownLayout'
  }
}

/** A copy was being written into the store when it was cut off. */
export class UnfinishedCopy extends Error {
  constructor() {
    super('the store holds an incomplete copy: run `npm run copy -- FROM TO` again')
    this.name = 'UnfinishedCopy'
  }
}

/** A copy never mixes with what is there. */
export class StoreNotEmpty extends Error {
  constructor() {
    super('the store is not empty')
    this.name = 'StoreNotEmpty'
  }
}

const advice =
  'Restore a backup, or run `npm run recover -- FROM TO`, which copies all intact data to a new directory.'

/** A file of the store is not what was written, and the operator is told what can be done. */
export class DamagedFile extends Error {
  readonly path: string
  readonly problem: string

  /** `other` is one more sentence of advice. */
  constructor(path: string, problem: string, other = '') {
    super(`${path}: ${problem}. ${advice}${other && ` ${other}`}`)
    this.name = 'DamagedFile'
    this.path = path
    this.problem = problem
  }
}
