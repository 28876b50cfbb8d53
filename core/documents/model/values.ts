/**
 * Attributes and formats put right on touched types: every attribute of the node type present with
 * a value the schema takes, no others; in texts only marks the parent allows, with exactly their
 * attributes. This is what y-prosemirror itself would write, so that it never sees a difference.
 */
import type { NodeType } from 'prosemirror-model'
import type * as Y from 'yjs'
import { parentElement } from '../../../schema/yjs/children.ts'
import { charsIn, firstItem, formatIn } from '../../../schema/yjs/items.ts'
import { textRuns } from '../../yjs/text-runs.ts'
import type { Touched } from '../../yjs/touched.ts'
import { deleteItem } from '../../yjs/transactions.ts'
import { setAttribute } from './build.ts'
import { cleanCharacters, cleanString } from './characters.ts'
import { exactFormat, isExact } from './marks.ts'
import type { Cloned } from './piece-writer.ts'
import { nodeTypeOf } from './read-node.ts'

/** Whole numbers from … to; what is outside is drawn to the nearer end. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  level: [1, 6],
  order: [0, 999_999_999],
  colspan: [1, 1],
  rowspan: [1, 1],
}

export function repairValues(
  transaction: Y.Transaction,
  { touched, cloned }: { readonly touched: Touched; readonly cloned: Cloned },
): void {
  for (const element of touched.elements) repairAttributes(element)
  for (const text of touched.texts) {
    repairFormats(transaction, text)
    cleanCharacters(transaction, text, cloned)
  }
}

/** Ids are left alone: they have their own rules. */
function repairAttributes(element: Y.XmlElement): void {
  const specs = nodeTypeOf(element).spec.attrs ?? {}
  const given: Record<string, unknown> = element.getAttributes()
  for (const name of Object.keys(given)) {
    if (!(name in specs)) element.removeAttribute(name)
  }
  for (const [name, spec] of Object.entries(specs)) {
    if (name === 'id') continue
    const value = given[name] ?? null
    const right = rightValue(name, spec, value)
    if (right !== value) setAttribute(element, name, right)
  }
}

interface AttributeSpec {
  readonly default?: unknown
  readonly validate?: unknown
}

function rightValue(name: string, spec: AttributeSpec, value: unknown): unknown {
  const fallback = 'default' in spec ? spec.default : ''
  const types = typeof spec.validate === 'string' ? spec.validate.split('|') : ['null']
  if (!types.includes(value === null ? 'null' : typeof value)) return fallback
  if (typeof value === 'string') return cleanString(value)
  if (typeof value !== 'number') return value
  const [low, high] = ranges[name] ?? [value, value]
  const whole = Math.trunc(Math.min(high, Math.max(low, value)))
  return Number.isNaN(whole) ? fallback : whole
}

function repairFormats(transaction: Y.Transaction, text: Y.XmlText): void {
  const parent = parentElement(text)
  if (parent === undefined) return
  const type = nodeTypeOf(parent)
  let isInexact = false
  for (let item = firstItem(text); item !== null; item = item.right) {
    if (item.deleted || charsIn(item) !== undefined) continue
    const format = formatIn(item)
    const ends = format?.value === null
    const exact = ends ? undefined : format && exactFormat(type, format.key, format.value)
    if (!ends && exact === undefined) deleteItem(transaction, item)
    else if (exact !== undefined && !isExact(format?.value, exact)) isInexact = true
  }
  if (isInexact) writeExactly(text, type)
}

function writeExactly(text: Y.XmlText, type: NodeType): void {
  const delta: object[] = []
  let isWrong = false
  for (const { text: run, formats } of textRuns(text)) {
    const attributes: Record<string, object> = {}
    for (const [name, value] of formats) {
      const exact = exactFormat(type, name, value)
      if (exact !== undefined && !isExact(value, exact)) attributes[name] = exact
    }
    isWrong ||= Object.keys(attributes).length > 0
    delta.push({ retain: run.length, attributes })
  }
  if (isWrong) text.applyDelta(delta)
}
