/** Cursors of lists: where the next page begins, in a form that nobody is to read anything from. */
import type { Static } from '@sinclair/typebox'
import { Refusal } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { pageQuery } from '../../schema/wire/pages.ts'

export interface PageAsked {
  readonly limit: number
  /** What the page before ended with. */
  readonly after: string | undefined
}

/** Refuses INVALID_REQUEST a cursor that is none. */
export function pageAsked({ limit, cursor }: Static<typeof pageQuery>): PageAsked {
  return {
    limit: limit === undefined ? limits.pageDefault : Number(limit),
    after: cursor === undefined ? undefined : read(cursor),
  }
}

export const cursorAfter = (last: string): string =>
  Buffer.from(`after:${last}`).toString('base64url')

function read(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const after = /^after:(.+)$/s.exec(text)?.[1]
  if (after !== undefined && cursorAfter(after) === cursor) return after
  throw new Refusal('INVALID_REQUEST', {
    issues: [{ path: '?cursor', message: 'is not a cursor of this list' }],
  })
}
