/** The documents that are measured: ordinary prose with headings, lists, code and links. */
const words =
  'the quick brown fox jumps over a lazy dog while writing documents together every day in markdown'.split(
    ' ',
  )

const sentence = (seed: number): string =>
  Array.from({ length: 16 }, (_, index) => words[(seed * 7 + index * 3) % words.length]).join(' ')

function block(index: number): string {
  switch (index % 20) {
    case 0:
      return `## Heading ${index}`
    case 5:
      return `- item ${sentence(index)}\n- second item ${index}`
    case 7:
      return `**Bold** and *em* with [a link](https://example.org/${index}) ${sentence(index)}.`
    case 10:
      return `\`\`\`js\nconst value${index} = ${index}\n\`\`\``
    default:
      return `${sentence(index)} word${index}.`
  }
}

/** Markdown of that many top-level blocks; about 100 bytes each. */
export const documentOf = (blocks: number): string =>
  `${Array.from({ length: blocks }, (_, index) => block(index)).join('\n\n')}\n`

/** The sizes that are compared: 10 KB, 100 KB, 1 MB. */
export const sizes = [
  { name: '10 KB', blocks: 100 },
  { name: '100 KB', blocks: 1_000 },
  { name: '1 MB', blocks: 10_000 },
] as const
