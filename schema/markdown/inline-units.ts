/**
 * The content of a textblock as characters and leaves, which are compared one by one, and what of
 * it markdown does not keep: blanks at the ends of lines, and at the edges of marks.
 */
import type { Mark, Node } from 'prosemirror-model'
import { contentKey, textMarks } from '../diff/content.ts'
import { delimitedMarks } from './mark-extents.ts'

/** A character or a leaf of the content. */
export interface Unit {
  /** What is said of it beside its character: one string for all characters of a node. */
  readonly kind: string
  readonly node: Node
  readonly marks: readonly Mark[]
  readonly text: string | undefined
  readonly pos: number
}

export function unitsOf(textblock: Node): Unit[] {
  const units: Unit[] = []
  let pos = 0
  for (const node of textblock.children) {
    const marks = textMarks(node)
    if (node.isText) {
      const kind = kindOf(marks)
      for (const text of (node.text ?? '').split('')) {
        units.push({ kind, node, marks, text, pos: pos++ })
      }
    } else units.push({ kind: contentKey(node), node, marks, text: undefined, pos: pos++ })
  }
  return units
}

/** Whether two units print alike. */
export const sameUnit = (a: Unit, b: Unit | undefined): boolean =>
  a.text === b?.text && a.kind === b?.kind

/** Equal for units that print alike. */
export const keyOf = ({ text, kind }: Unit): string => (text ?? '\n') + kind

export function hasUnits(textblock: Node, wanted: readonly Unit[]): boolean {
  const units = unitsOf(textblock)
  return units.length === wanted.length && units.every((unit, at) => sameUnit(unit, wanted[at]))
}

const isBlank = (unit: Unit | undefined): boolean => unit?.text === ' ' || unit?.text === '\t'

/** The blanks at the end or the beginning of a line. */
export function blanksAtLineEnds(all: readonly Unit[]): ReadonlySet<number> {
  const lost = new Set<number>()
  for (let from = 0; from < all.length; from++) {
    if (!isBlank(all[from])) continue
    let to = from
    while (isBlank(all[to])) to++
    if (isLineEnd(all[from - 1]) || isLineEnd(all[to])) {
      for (let index = from; index < to; index++) lost.add(index)
    }
    from = to
  }
  return lost
}

/** The units as they are where no blank stands at the edge of a mark, which it leaves in print. */
export function withBlanksOutside(all: readonly Unit[]): readonly Unit[] {
  const isAtEdge = ({ marks }: Unit, index: number): boolean =>
    all[index - 1]?.marks !== marks || all[index + 1]?.marks !== marks
  const mayChange = all.some(
    (unit, index) => unit.marks.length > 0 && isBlank(unit) && isAtEdge(unit, index),
  )
  if (!mayChange) return all
  let units: Unit[] | undefined
  for (const type of delimitedMarks) {
    const markAt = (index: number) => type.isInSet((units ?? all)[index]?.marks ?? [])
    for (let from = 0; from < all.length; ) {
      const mark = markAt(from)
      let to = from + 1
      while (mark !== undefined && markAt(to)?.eq(mark) === true) to++
      let [first, last] = [from, to]
      while (first < to && isBareBlank(all[first])) first++
      while (last > first && isBareBlank(all[last - 1])) last--
      for (let index = from; mark !== undefined && index < to; index++) {
        if (index >= first && index < last) continue
        units ??= [...all]
        units[index] = withoutMark(units[index] as Unit, mark)
      }
      from = to
    }
  }
  return units ?? all
}

const isBareBlank = (unit: Unit | undefined): boolean =>
  isBlank(unit) && unit?.marks.every(({ type }) => type.name !== 'code') === true

function withoutMark(unit: Unit, mark: Mark): Unit {
  const marks = unit.marks.filter((one) => !one.eq(mark))
  return { ...unit, marks, kind: kindOf(marks) }
}

const kindOf = (marks: readonly Mark[]): string => (marks.length === 0 ? '' : JSON.stringify(marks))

const isLineEnd = (unit: Unit | undefined): boolean =>
  unit === undefined || unit.text === '\n' || unit.node.type.name === 'hard_break'
