/**
 * How wide an image is shown, which markdown cannot say. It stands behind its description, as in
 * Obsidian: `![A chart|320](address)`, in pixels. Everywhere else that is part of the description.
 */

const behind = /\|(\d{2,4})$/

export interface Described {
  /** For who cannot see it. */
  readonly words: string
  /** Undefined: as it is. */
  readonly width: number | undefined
}

export function describedBy(alt: string): Described {
  const [whole = '', width] = behind.exec(alt) ?? []
  return width === undefined
    ? { words: alt, width: undefined }
    : { words: alt.slice(0, -whole.length), width: Number(width) }
}

export const altOf = ({ words, width }: Described): string =>
  width === undefined ? words : `${words}|${width}`
