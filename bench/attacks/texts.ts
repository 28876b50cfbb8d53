/** Markdown that is small to send and long to read. */
import type { Text } from './order.ts'

export interface NamedText extends Text {
  readonly name: string
}

export const longTexts: readonly NamedText[] = [
  { name: '`- [ ] a\\n` × 100,000', unit: '- [ ] a\n', times: 100_000 },
  { name: '`` `a`` `` × 400,000', unit: '`a``', times: 400_000 },
  { name: '`> a\\nb\\n` × 150,000', unit: '> a\nb\n', times: 150_000 },
  { name: '`# a #\\n` × 200,000', unit: '# a #\n', times: 200_000 },
  { name: '`a\\n=\\n` × 200,000', unit: 'a\n=\n', times: 200_000 },
  { name: '`* * *\\n` × 300,000', unit: '* * *\n', times: 300_000 },
  { name: '`![` × 400,000', unit: '![', times: 400_000 },
]

/** 207 KB of about as many blocks as a document may have. */
export const manyBlocks: Text = { unit: 'a\n\n', times: 69_000 }

export const markdownOf = ({ unit, times }: Text): string => unit.repeat(times)
