/**
 * What one's own transactions put into the document: the ground on which ids and authors are given.
 * Changes that came from Yjs count as nothing here, so that what is appended never answers them.
 */
import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { Mapping, ReplaceAroundStep, ReplaceStep } from 'prosemirror-transform'
import { isFromYjs } from './binding/binding.ts'

/** One's own changes of the document, in order. */
export const localChanges = (trs: readonly Transaction[]): readonly Transaction[] =>
  trs.filter((tr) => tr.docChanged && !isFromYjs(tr))

/** Whether content was pasted or dropped, not typed. */
export function isCarried(tr: Transaction): boolean {
  const event: unknown = tr.getMeta('uiEvent')
  return tr.getMeta('paste') === true || event === 'paste' || event === 'drop'
}

/** Whether a node that `judge` knows came in with a step of these transactions. */
export function bringsNode(trs: readonly Transaction[], judge: (node: Node) => boolean): boolean {
  return trs.some((tr) =>
    tr.steps.some((step) => {
      if (!(step instanceof ReplaceStep || step instanceof ReplaceAroundStep)) return false
      let brings = false
      step.slice.content.descendants((node) => {
        brings ||= judge(node)
        return !brings
      })
      return brings
    }),
  )
}

/** From the positions before a row of transactions to those after it. */
export function mappingThrough(trs: readonly Transaction[]): Mapping {
  const mapping = new Mapping()
  for (const tr of trs) mapping.appendMapping(tr.mapping)
  return mapping
}
