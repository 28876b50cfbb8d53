/** What a failed search of an edit says beside its code (interface §7, extensions §2). */
import { Type } from '@sinclair/typebox'
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
