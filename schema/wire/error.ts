/** The body of every refusal (interface §7). Codes add fields of their own. */
import { type Static, Type } from '@sinclair/typebox'
import type { ErrorCode } from '../errors.ts'
import { limits } from '../limits.ts'
import { nullable } from './primitives.ts'

/** Where a text that is not in the document may have been meant: at most three places. */
export const candidatesShape = Type.Array(
  Type.Object({
    offset: Type.Integer({ minimum: 0, description: 'Offsets into `markdown`.' }),
    block_id: nullable(Type.String({ description: 'The innermost block at this place.' })),
    text: Type.String({ description: 'The exact text at this place. Quote it instead.' }),
    difference: Type.String({
      description:
        'whitespace, quotes, case, escape, markup, punctuation, word, words; several of the first.',
    }),
  }),
  { maxItems: limits.candidatesPerEdit },
)

export const issueShape = Type.Object({
  path: Type.String({
    description: 'JSON pointer into the body, or `?name` of a query parameter.',
  }),
  message: Type.String(),
})

export type Issue = Static<typeof issueShape>

/** The body of a refusal whose code is one of `codes`. */
export const errorShape = (codes: readonly ErrorCode[]) =>
  Type.Object(
    {
      error: Type.String({ description: 'A description for people.' }),
      code: Type.Union(codes.map((code) => Type.Literal(code))),
      request_id: Type.String({ description: 'Also in the header X-Request-Id.' }),
      feedback: Type.Optional(Type.String({ description: 'Where to report this.' })),
      feedback_instruction: Type.Optional(Type.String({ description: 'When and how to report.' })),
      issues: Type.Optional(Type.Array(issueShape)),
      markdown: Type.Optional(Type.String({ description: 'The current text of the document.' })),
      revision: Type.Optional(Type.Integer()),
      candidates: Type.Optional(candidatesShape),
      next: Type.Optional(Type.String()),
      slug: Type.Optional(Type.String()),
    },
    { additionalProperties: true },
  )
