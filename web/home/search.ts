/** Finding documents by title as one types: words in any order, without case or accents. */

/** Small letters without marks, each as long as what it stands for. */
function folded(text: string): string {
  return [...text]
    .map((letter) => {
      const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      return plain.length === letter.length ? plain : letter
    })
    .join('')
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** Where the words stand in a title, in order and apart; `undefined`: one of them does not. */
export function titleSearch(query: string): (title: string) => readonly Span[] | undefined {
  const words = folded(query)
    .split(/\s+/u)
    .filter((word) => word !== '')
  return (title) => {
    const text = folded(title)
    const found: Span[] = []
    for (const word of words) {
      const from = text.indexOf(word)
      if (from < 0) return undefined
      found.push({ from, to: from + word.length })
    }
    return apart(found)
  }
}

function apart(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && span.from <= last.to) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    } else merged.push(span)
  }
  return merged
}

/** Titles that begin with what was asked for come first; else the order stays. */
export function bestFirst<T extends { readonly title: string }>(
  found: readonly T[],
  query: string,
): T[] {
  const start = folded(query.trim())
  const rank = ({ title }: T) => (folded(title).startsWith(start) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}
