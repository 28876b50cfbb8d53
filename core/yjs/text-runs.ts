/** The characters of a text in stretches, with the formats that hold for them. */
import * as Y from 'yjs'
import type { Item } from '../../schema/yjs/items.ts'

/** A stretch of text with one set of formats; `item` holds it whole. */
export interface FormattedRun {
  readonly item: Item
  readonly text: string
  readonly formats: ReadonlyMap<string, unknown>
}

/** The living characters of a text with the formats in force, one run an item. */
export function* textRuns(text: Y.XmlText): Generator<FormattedRun> {
  let formats: ReadonlyMap<string, unknown> = new Map()
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted) continue
    if (item.content instanceof Y.ContentString) yield { item, text: item.content.str, formats }
    else if (item.content instanceof Y.ContentFormat) {
      const next = new Map(formats)
      const { key, value } = item.content
      if (value === null) next.delete(key)
      else next.set(key, value)
      formats = next
    }
  }
}
