/**
 * Plain data: what one message carries between threads without a loss (the structured clone
 * algorithm of HTML). No functions, and no instances of classes, whose methods and private fields a
 * clone lacks. Types only.
 */

import type { Json } from '../../schema/json.ts'

/**
 * `T` where it is plain. A function becomes `never` and a class the type of its public fields, so
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
export type Unplain<T> = {
  [Name in keyof T]-?: IsPlain<T[Name]> extends true ? never : Name
}[keyof T]

/** What the methods of an interface resolve to. */
export type AnswersOf<T> = {
  [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<infer Answer>
    ? Answer extends void
      ? undefined
      : Answer
    : T[Name]
}
