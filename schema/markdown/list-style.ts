/**
 * How a list writes its items: with which bullet or numbers, with blank lines or without, and a
 * task's box. A function of the list and its place; knows nothing of what the items hold.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { checkedOf, firstNumber } from './node-attributes.ts'
import { isLongContainer } from './part-memory.ts'
import { effectiveTight } from './tightness.ts'

const { nodes } = documentSchema

/** From some item on. */
export interface ListStyle {
  readonly tight: boolean
  /** Of the item; undefined where bullets are written. */
  readonly number: number | undefined
  /** The bullet, or what stands behind the number. */
  readonly end: string
  /** How many `-` markers stand ahead of the item in its line, with nothing else between. */
  readonly dashes: number
  readonly isLong: boolean
}

export function listStyle(
  list: Node,
  { alternate, dashes }: { readonly alternate: boolean; readonly dashes: number },
): ListStyle {
  const number = list.type === nodes.ordered_list ? firstNumber(list) : undefined
  const [usual, other] = number === undefined ? ['-', '*'] : ['.', ')']
  const end = (alternate ? other : usual) as string
  return { tight: effectiveTight(list), number, end, dashes, isLong: isLongContainer(list) }
}

/** The same from the item on that is `index` items behind. */
export function styleFrom(style: ListStyle, index: number): ListStyle {
  if (index === 0) return style
  const { number } = style
  return { ...style, number: number === undefined ? undefined : number + index, dashes: 0 }
}

export function boxOf(item: Node): string {
  const checked = item.firstChild?.type === nodes.paragraph ? checkedOf(item) : null
  if (checked === null) return ''
  return checked ? ' [x]' : ' [ ]'
}
