/** Who edited what, in the words of a sentence. */

/** `Quill`, `Quill and Ada`, `Quill, Ada and 2 more`. */
export function listed(names: readonly string[]): string {
  const [first = '', second, ...more] = names
  if (second === undefined) return first
  if (more.length === 0) return `${first} and ${second}`
  return `${first}, ${second} and ${more.length} more`
}

/** `Quill edited a paragraph.` and the like, from the changed blocks' kinds of each. */
export function summary(blocks: ReadonlyMap<string, ReadonlyMap<unknown, string>>): string {
  if (blocks.size > 2) {
    const count = [...blocks.values()].reduce((sum, own) => sum + own.size, 0)
    return `${listed([...blocks.keys()])} edited ${count} blocks.`
  }
  return [...blocks].map(([name, own]) => `${name} edited ${what([...own.values()])}.`).join(' ')
}

function what(kinds: readonly string[]): string {
  const [first = 'paragraph'] = kinds
  if (kinds.length === 1) return singular[first] ?? 'a block'
  const isOneKind = kinds.every((kind) => kind === first)
  return `${kinds.length} ${(isOneKind ? plural[first] : undefined) ?? 'blocks'}`
}

const singular: Readonly<Record<string, string>> = {
  paragraph: 'a paragraph',
  heading: 'a heading',
  bullet_list: 'a list',
  ordered_list: 'a list',
  blockquote: 'a quote',
  code_block: 'a code block',
  table: 'a table',
  front_matter: 'the front matter',
}

const plural: Readonly<Record<string, string>> = {
  paragraph: 'paragraphs',
  heading: 'headings',
  bullet_list: 'lists',
  ordered_list: 'lists',
  blockquote: 'quotes',
  code_block: 'code blocks',
  table: 'tables',
}
