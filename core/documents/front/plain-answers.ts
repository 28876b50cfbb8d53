/**
 * The proof, by the type checker, that what documents answer is plain data: a name that is not
 * plain is not `never`, and the error names it. Types only; real answers are sent through a
 * structured clone in tests/unit/core/documents/host/plain-answers.test.ts.
 */

import type { Json } from '../../../schema/json.ts'
import type {
  Discussion,
  Documents,
  Past,
  PlacedThread,
  ReadWish,
  ViewData,
  WishedThreads,
} from '../contract.ts'
import type { Answer, HostCall } from '../host/protocol.ts'

/**
 * `T` where it is plain: what one message carries between threads without a loss (structured clone).
 * A function becomes `never` and a class the type of its public fields, so
 * that `T` is not the same type any more. What may be anything is not plain either.
 */
export type Plain<T> = unknown extends T
  ? never
  : T extends Json | bigint | Uint8Array
    ? T
    : T extends (...args: never[]) => unknown
      ? never
      : T extends ReadonlyMap<infer Key, infer Value>
        ? ReadonlyMap<Plain<Key>, Plain<Value>>
        : T extends object
          ? { [Name in keyof T]: Plain<T[Name]> }
          : never

type IsPlain<T> = [T] extends [Plain<T>] ? ([Plain<T>] extends [T] ? true : false) : false

/** The names of those that are not plain. */
type Unplain<T> = {
  [Name in keyof T]-?: IsPlain<T[Name]> extends true ? never : Name
}[keyof T]

/** What the methods of an interface resolve to. */
type AnswersOf<T> = {
  [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<infer Answer>
    ? Answer extends void
      ? undefined
      : Answer
    : T[Name]
}

/**
 * These answer what lives as long as the caller holds it (`connect`, `follow`), what the caller
 * itself made (`keep`, `record`), a view of `ViewData` (`read`), or nothing of a document.
 */
type NoAnswer = 'connect' | 'follow' | 'keep' | 'record' | 'read' | 'past' | 'discussion'

type AllPlain<_Names extends never> = true

export type PlainAnswers = AllPlain<Unplain<AnswersOf<Omit<Documents, NoAnswer>>>>
export type PlainPast = AllPlain<Unplain<AnswersOf<Past>>>
export type PlainDiscussion = AllPlain<Unplain<AnswersOf<Discussion>>>
export type PlainHost = AllPlain<Unplain<{ [Call in HostCall]: Answer<Call> }>>
export type PlainReads = AllPlain<
  Unplain<{ wish: ReadWish; data: ViewData; told: WishedThreads; thread: PlacedThread }>
>
