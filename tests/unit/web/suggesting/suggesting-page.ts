/** A page without a browser in which all is suggested, and what the service makes of it. */
import type { Node } from 'prosemirror-model'
import * as assert from 'uvu/assert'
import { planEdits } from '../../../../core/documents/edits/plan/plan.ts'
import { Refusal } from '../../../../schema/errors.ts'
import type { ActorId } from '../../../../schema/ids.ts'
import { DocumentText } from '../../../../schema/markdown/document-text.ts'
import { findText } from '../../../../schema/markdown/matching.ts'
import { layerOf } from '../../../../web/editor/binding/layer.ts'
import { isAlike, piecesOf, shownWith } from '../../../../web/suggesting/changes.ts'
import { type Draft, emptyDraft, withSent } from '../../../../web/suggesting/draft.ts'
import { type Proposal, proposalsOf } from '../../../../web/suggesting/proposals.ts'
import { SuggestingLayer } from '../../../../web/suggesting/suggesting-layer.ts'
import type { PageWithoutDom } from '../editor/binding/page-without-dom.ts'

const undrawn = {
  marks: () => [],
  handleClick: () => false,
}

/** From now on what the page does is suggested. */
export function suggest(page: PageWithoutDom): void {
  page.writesLayer = true
  const { doc, tr } = page.state
  const layer = new SuggestingLayer(undrawn)
  page.dispatch(layer.put(tr, { draft: emptyDraft(page.binding.known), doc }))
}

/** These changes were sent to the service as they are now. */
export function tell(page: PageWithoutDom, ids: readonly number[]): void {
  const { doc, tr } = page.state
  const layer = layerOf(page.state)
  if (!(layer instanceof SuggestingLayer)) throw new TypeError('a page that suggests nothing')
  page.dispatch(layer.put(tr, { draft: withSent(draftOf(page), doc, ids), doc }))
}

export function draftOf(page: PageWithoutDom): Draft {
  const layer = layerOf(page.state)
  if (!(layer instanceof SuggestingLayer) || layer.draft === undefined) {
    throw new TypeError('a page that suggests nothing')
  }
  return layer.draft
}

/** The page shows the shared document with the changes in it. */
export function isWhole(page: PageWithoutDom): void {
  const draft = draftOf(page)
  const { doc } = page.state
  doc.check()
  assert.ok(draft.shared.eq(page.binding.known), 'it lies over another document')
  const again = shownWith(draft.shared, piecesOf(draft.changes, doc))
  assert.equal(again.lost, [])
  assert.equal(again.changes, draft.changes)
  assert.ok(isAlike(again.doc.content, doc.content), `${again.doc}\nand not ${doc}`)
}

export const textOf = (doc: Node): DocumentText => DocumentText.of(doc.children)

export function proposals(
  page: PageWithoutDom,
  quoted: (ids: readonly number[]) => string | undefined = () => undefined,
): Proposal[] {
  const { shared, changes } = draftOf(page)
  const { doc } = page.state
  const printed = (node: Node) => ({ doc: node, text: textOf(node) })
  return proposalsOf({ shared: printed(shared), page: printed(doc), changes }, quoted)
}

/**
 * What the service makes of a text where a suggestion is accepted; a refusal's code. `from`: where
 * its words are now, for who says so.
 */
export function accepted(
  text: DocumentText,
  { oldString, newString, place }: Proposal,
  from: number,
): DocumentText | string {
  const { matches, total, chosen } = findText(text, oldString, { at: from })
  const match = place === undefined ? matches[0] : chosen
  if (match === undefined) return 'NOT_FOUND'
  if (total > 1 && place === undefined) return 'AMBIGUOUS'
  const edit = { form: 'replace', oldString, newString, at: match.from } as const
  try {
    const actor = 'human:ann' as ActorId
    return planEdits({ text, revision: 1, baseRevision: 1, edits: [edit], actor }).text
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
