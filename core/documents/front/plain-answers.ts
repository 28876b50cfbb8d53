/**
 * The proof, by the type checker, that what documents answer is plain data: a name that is not
 * plain is not `never`, and the error names it. Types only; tests/unit/core/plain-answers.test.ts
 * sends real answers through a structured clone.
 */
import type {
  Discussion,
  Documents,
  Past,
  PlacedThread,
  ReadWish,
  ToldThreads,
  ViewData,
} from '../contract.ts'
import type { Answer, HostCall } from '../host/protocol.ts'
import type { AnswersOf, Unplain } from '../plain.ts'

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
  Unplain<{ wish: ReadWish; data: ViewData; told: ToldThreads; thread: PlacedThread }>
>
