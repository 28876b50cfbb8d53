/**
 * Which link definitions the blocks of a document hold. Remembered per block, which is immutable.
 */
import type { Node } from 'prosemirror-model'
import { remembered } from '../remembered.ts'
import { type Definitions, definitionsOf, type LinkTarget, noDefinitions } from './definitions.ts'
import type { DefinitionMeta } from './link-definitions.ts'
import { parseEnv } from './parse-env.ts'
import { tokenize, tokenizer } from './tokenizer.ts'

/** What one definition defines; nothing where its text is no definition. */
const entriesOf = remembered((node: Node) => readDefinition(node.textContent))

function readDefinition(source: string): DefinitionMeta['entries'] {
  const [token, more] = tokenize(source, parseEnv({ start: false }))
  if (more !== undefined || token?.type !== 'link_definition') return []
  return (token.meta as DefinitionMeta).entries
}

/**
 * Whether a text may hold a link by reference to one of these. Where it may not, it reads as it
 * does without any. A label with a backslash in it is not looked for: it may.
 */
export function mayRefer(md: string, definitions: Definitions): boolean {
  if (definitions === noDefinitions || !md.includes(']')) return false
  if (md.includes('\\')) return true
  const { normalizeReference } = tokenizer.utils
  return [...md.matchAll(/\[([^[\]]+)\]/g)].some(
    ([, label = '']) => normalizeReference(label) in definitions.targets,
  )
}

/** Whether the text is one definition and nothing else. */
export const isDefinition = (node: Node): boolean => entriesOf(node).length > 0

/** The definitions in these blocks, at any depth. */
export function definitionsIn(blocks: Iterable<Node>): Definitions {
  return definitionsOf(entriesIn(blocks))
}

function* entriesIn(blocks: Iterable<Node>): Generator<readonly [string, LinkTarget]> {
  for (const block of blocks) {
    if (block.type.name === 'link_definition') yield* entriesOf(block)
    else if (holdsDefinition(block)) yield* entriesIn(block.children)
  }
}

/** Whether there is a definition in a block. */
export function holdsDefinition(block: Node): boolean {
  if (block.type.name === 'link_definition') return true
  if (block.isLeaf || block.inlineContent || block.type.name === 'table') return false
  return holdsInside(block)
}

const holdsInside = remembered((block: Node) => block.children.some(holdsDefinition))
