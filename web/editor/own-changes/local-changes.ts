/**
 * What one's own transactions put into the document: the ground on which ids and authors are given.
 * Changes that came from Yjs count as nothing here, so that what is appended never answers them.
 */
import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import {
  AddMarkStep,
  Mapping,
  RemoveMarkStep,
  ReplaceAroundStep,
  ReplaceStep,
} from 'prosemirror-transform'
import { isFromYjs } from '../binding/change-origin.ts'
import type { DocRange } from '../model/doc-range.ts'
import { manyChanges } from '../model/exchange.ts'

/** One's own changes of the document, in order. */
export const localChanges = (trs: readonly Transaction[]): readonly Transaction[] =>
  trs.filter((tr) => tr.docChanged && !isFromYjs(tr))

/** Whether its content was not typed. */
export function isPastedOrDropped(tr: Transaction): boolean {
  const event: unknown = tr.getMeta('uiEvent')
  return tr.getMeta('paste') === true || event === 'paste' || event === 'drop'
}

/** Whether a node that `judge` knows came in with a step of these transactions. */
export function insertsNode(trs: readonly Transaction[], judge: (node: Node) => boolean): boolean {
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

/**
 * Where, in the document after `trs`, their own steps put or marked something; of very many places
 * one stretch around them, as each would be looked for from the start of the document.
 */
export function changedRanges(trs: readonly Transaction[]): DocRange[] {
  const ranges: DocRange[] = []
  for (const [which, tr] of trs.entries()) {
    if (!tr.docChanged || isFromYjs(tr)) continue
    for (const [index, step] of tr.steps.entries()) {
      const onward = new Mapping(tr.mapping.maps.slice(index + 1))
      onward.appendMapping(mappingThrough(trs.slice(which + 1)))
      const add = (from: number, to: number): void => {
        ranges.push({ from: onward.map(from, -1), to: onward.map(to, 1) })
      }
      if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) add(step.from, step.to)
      else {
        step.getMap().forEach((_from, _to, from, to) => {
          add(from, to)
        })
      }
    }
  }
  if (ranges.length < manyChanges) return ranges
  const around = ranges.reduce((all, { from, to }) => {
    return { from: Math.min(all.from, from), to: Math.max(all.to, to) }
  })
  return [around]
}
