/** Plans of edits on text whose blocks have known ids: what they make, or what refuses them. */

import type { Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import type { Plan, PlanInput } from '../../../../../core/documents/edits/plan/plan.ts'
import { planEdits } from '../../../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../../../core/documents/edits/request/edit.ts'
import { identifiedTypes } from '../../../../../schema/document-schema.ts'
import { type ErrorCode, Refusal } from '../../../../../schema/errors.ts'
import type { BlockId } from '../../../../../schema/ids.ts'
import { DocumentText } from '../../../../../schema/markdown/document-text.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import { bot } from './edits-fixture.ts'

/** The blocks with ids `bid_…00`, `bid_…01` in document order. */
export function textOf(markdown: string): DocumentText {
  let count = 0
  const named = (node: Node): Node => {
    const has = identifiedTypes.has(node.type.name)
    const attrs = has ? { ...node.attrs, id: bid(count++) } : node.attrs
    return node.isText ? node : node.type.create(attrs, node.children.map(named), node.marks)
  }
  return DocumentText.of(parseMarkdown(markdown).children.map(named))
}

export const bid = (index: number): BlockId => `bid_${String(index).padStart(16, '0')}` as BlockId

export type Item = Readonly<Record<string, unknown>>
type Given = Partial<Omit<PlanInput, 'text' | 'edits' | 'actor'>>

export const current = { revision: 5, baseRevision: 5 }
export const stale = { revision: 5, baseRevision: 3 }

export function plan(markdown: string, items: Item | readonly Item[], given: Given = {}): Plan {
  const edits = readEdits(Array.isArray(items) ? items : [items])
  return planEdits({ text: textOf(markdown), edits, actor: bot, ...current, ...given })
}

/** A refusal is told as an error that the runner can print. */
export function result(...asked: Parameters<typeof plan>): string {
  try {
    return plan(...asked).text.toString()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(`${error.code} ${JSON.stringify(error.details)}`)
  }
}

export function refused(
  code: ErrorCode,
  ...asked: Parameters<typeof plan>
): Readonly<Record<string, unknown>> {
  try {
    plan(...asked)
  } catch (error) {
    assert.instance(error, Refusal)
    assert.is((error as Refusal).code, code, JSON.stringify((error as Refusal).details))
    return (error as Refusal).details
  }
  throw new Error(`not refused: ${code}`)
}

export const ids = (made: Plan): (string | null)[] => Array.from(made.text.blocks(), ({ id }) => id)
