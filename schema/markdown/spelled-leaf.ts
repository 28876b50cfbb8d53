/**
 * The markdown of a textblock, a table row or a leaf as it was written, where it still reads back as
 * what the block holds. Where somebody has changed the text since, the rest of it keeps its
 * spelling (see `respelled.ts`). What cannot be kept is printed in the canonical form.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import type { Definitions } from './definitions.ts'
import { closedHtmlBlock, isBreakTag } from './html.ts'
import type { InlineText } from './inline-output.ts'
import type { InlineShape } from './inline-runs.ts'
import { levelOf, sourceOf } from './node-attributes.ts'
import { parseEnv } from './parse-env.ts'
import { readTextblock } from './read-source.ts'
import { respelled } from './respelled.ts'
import { missingColumn, spellingOf } from './spelling.ts'
import { taskBox } from './task-box.ts'
import { tokenize } from './tokenizer.ts'

const { nodes } = documentSchema

export interface LeafPlace extends InlineShape {
  /** How many blanks may stand before the block in its line. */
  readonly indent: number
  readonly definitions: Definitions
}

const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0

/** `pos` counts from the start of the content. Undefined where nothing can be kept. */
export function spelledLeaf(node: Node, place: LeafPlace): InlineText | undefined {
  const spelling = spellingOf(node)
  if (spelling === null || indentOf(spelling) > place.indent) return undefined
  switch (node.type) {
    case nodes.paragraph:
    case nodes.heading:
      return spelledTextblock(node, spelling, place)
    case nodes.horizontal_rule:
      return soleToken(spelling) === 'hr' ? { md: spelling, segments: [] } : undefined
    case nodes.html_block:
      return isSameHtml(node, spelling) ? { md: spelling, segments: [] } : undefined
    default:
      return undefined
  }
}

function spelledTextblock(node: Node, spelling: string, place: LeafPlace): InlineText | undefined {
  if (node.childCount === 0 && node.type === nodes.paragraph) {
    return isBreakTag(spelling.trim()) ? { md: spelling, segments: [] } : undefined
  }
  const { md, missing } = withoutBackspaces(spelling)
  const source = readTextblock(md, place.definitions)
  if (source === undefined || source.node.type !== node.type) return undefined
  if (node.type === nodes.heading && levelOf(source.node) !== levelOf(node)) return undefined
  const text = respelled({
    node,
    source,
    shape: place,
    read: (changed) => {
      const found = readTextblock(changed, place.definitions)
      return found?.node.hasMarkup(source.node.type, source.node.attrs) ? found : undefined
    },
  })
  if (text === undefined || indentOf(text.md) > place.indent) return undefined
  if (place.itemFirst === true && taskBox(text.md.trimStart()) !== undefined) return undefined
  if (missing === undefined) return text
  // Lines that hang out are only more of the paragraph as long as they are the lines they were.
  return areLazy(text.md, missing) ? { ...text, missing } : undefined
}

interface LazyText {
  readonly md: string
  readonly missing: readonly number[] | undefined
}

function withoutBackspaces(spelling: string): LazyText {
  if (!spelling.includes(missingColumn)) return { md: spelling, missing: undefined }
  const lines = spelling.split('\n').map((line) => {
    const text = line.replace(/^\u0008+/, '')
    return { text, missing: line.length - text.length }
  })
  return {
    md: lines.map(({ text }) => text).join('\n'),
    missing: lines.map(({ missing }) => missing),
  }
}

/** Whether each line that lacks columns would be a paragraph by itself. */
function areLazy(md: string, missing: readonly number[]): boolean {
  const lines = md.split('\n')
  if (lines.length !== missing.length) return false
  return lines.every((line, index) => {
    if ((missing[index] ?? 0) === 0) return true
    return index > 0 && !/^[ \t]*[=-]+[ \t]*$/.test(line) && soleToken(line) === 'paragraph_open'
  })
}

/** The type of the first token of a text that is one block. */
function soleToken(source: string): string | undefined {
  const tokens = tokenize(source, parseEnv({ start: false }))
  return tokens.length === 1 || tokens.length === 3 ? tokens[0]?.type : undefined
}

function isSameHtml(html: Node, spelling: string): boolean {
  if (closedHtmlBlock(spelling) !== sourceOf(html)) return false
  return !/\n[ \t]*\n/.test(spelling) && soleToken(spelling) === 'html_block'
}
