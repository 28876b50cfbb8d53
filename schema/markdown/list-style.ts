/**
 * How a list writes its items: with which markers, with blank lines or without, and a task's box. A
 * function of the list and its place; knows nothing of what the items hold.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { firstNumber } from './node-attributes.ts'
import { isLongContainer } from './part-memory.ts'
import {
  boxOf,
  columns,
  type ListPlace,
  type MarkerPattern,
  markerPattern,
  ownMarker,
  patternMarker,
  withoutLead,
} from './spelling.ts'
import { effectiveTight, keepsGaps } from './tightness.ts'

const { nodes } = documentSchema

/** From some item on. */
export interface ListStyle {
  readonly tight: boolean
  /** Blank lines are as they were written. */
  readonly gaps: boolean
  /** Of the item; undefined where bullets are written. */
  readonly number: number | undefined
  readonly pattern: MarkerPattern
  /** The bullets right ahead of the item in its line, as far as they are the same. */
  readonly bullets: string
  /** Of the item that tells the list's number. */
  readonly isFirst: boolean
  readonly isLong: boolean
}

interface ListContext extends ListPlace {
  readonly bullets: string
}

export function listStyle(list: Node, place: ListContext): ListStyle {
  return {
    tight: effectiveTight(list),
    gaps: keepsGaps(list),
    number: list.type === nodes.ordered_list ? firstNumber(list) : undefined,
    pattern: markerPattern(list, place),
    bullets: place.bullets,
    isFirst: true,
    isLong: isLongContainer(list),
  }
}

/** The same from the item on that is `index` items behind. */
export function styleFrom(style: ListStyle, index: number): ListStyle {
  if (index === 0) return style
  const { number, pattern } = style
  const step = pattern.isSameNumber ? 0 : index
  return {
    ...style,
    number: number === undefined ? undefined : number + step,
    bullets: '',
    isFirst: false,
  }
}

/** What is written before the content of an item. */
export interface ItemMarker {
  /** The bullet or number, with the task box where there is one. */
  readonly text: string
  /** Between it and the content; not written where there is none. */
  readonly blanks: string
  /** The part that the lines below are indented by. */
  readonly indenting: string
}

type Marking = Pick<ListStyle, 'number' | 'pattern' | 'isFirst'>

export function itemMarker(item: Node, { number, pattern, isFirst }: Marking): ItemMarker {
  const written = ownMarker(item, pattern)
  const isOther = isFirst && number !== undefined && numberIn(written?.marker) !== number
  const own = isOther ? undefined : written
  const marker = own?.marker ?? patternMarker(pattern, number === undefined ? '' : String(number))
  const box = boxOf(item)
  const indenting = withoutLead(marker)
  if (box === '') return { text: marker.trimEnd(), blanks: blanksOf(marker), indenting }
  const isSame = own?.box !== undefined && own.box.trimEnd().toLowerCase() === box
  const whole = marker + (isSame ? own.box : `${box} `)
  return { text: whole.trimEnd(), blanks: blanksOf(whole) || ' ', indenting }
}

const numberIn = (marker = ''): number => Number(/\d+/.exec(marker)?.[0])

const blanksOf = (text: string): string => text.slice(text.trimEnd().length)

/** What the lines of an item below its first begin with, behind `prefix`. */
export function contentIndent({ indenting }: ItemMarker, prefix: string): string {
  const before = columns(prefix)
  const width = columns(indenting, before)
  const isTabbed = indenting.includes('\t') && before % 4 === 0 && width % 4 === 0
  return isTabbed ? '\t'.repeat(width / 4) : ' '.repeat(width)
}
