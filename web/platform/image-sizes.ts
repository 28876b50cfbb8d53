/**
 * How large images are that this browser has shown, so that the next time nothing moves when they
 * arrive. Kept on the device, of the last ones only.
 */
import { readItem, writeItem } from './device-storage.ts'

export interface ImageSize {
  readonly width: number
  readonly height: number
}

const key = 'image-sizes'
const keptMax = 300

type Row = readonly [address: string, width: number, height: number]

export class ImageSizes {
  #read: string | undefined
  #known: ReadonlyMap<string, Row> = new Map()

  of(address: string): ImageSize | undefined {
    const row = this.#all().get(address)
    return row && { width: row[1], height: row[2] }
  }

  remember(address: string, { width, height }: ImageSize): void {
    const known = this.of(address)
    if (width === 0 || height === 0 || (known?.width === width && known.height === height)) return
    const others = [...this.#all().values()].filter(([other]) => other !== address)
    const rows: readonly Row[] = [...others, [address, width, height] as const].slice(-keptMax)
    writeItem(key, JSON.stringify(rows))
  }

  /** Another page may have remembered more. */
  #all(): ReadonlyMap<string, Row> {
    const text = readItem(key)
    if (text === this.#read) return this.#known
    this.#read = text
    this.#known = new Map(rowsIn(text).map((row) => [row[0], row]))
    return this.#known
  }
}

function rowsIn(text = '[]'): readonly Row[] {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows.filter(isRow) : []
  } catch {
    return []
  }
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value)) return false
  const [address, width, height] = value
  return typeof address === 'string' && width > 0 && height > 0
}
