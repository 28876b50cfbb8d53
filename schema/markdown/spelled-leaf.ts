/**
 * The markdown of a textblock, a table row or a leaf as it was written, where it still reads back
 * as what the block holds. Where somebody has changed the text since, the rest of it keeps its
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
import { readTextblock, readWritten, withinLimits } from './read-source.ts'
import { respelled } from './respelled.ts'
import { hangsOut, leadOfLine, missingColumn, spellingOf, withoutLead } from './spelling.ts'
import { taskBox } from './task-box.ts'
import { tokenize } from './tokenizer.ts'

const { nodes } = documentSchema

export interface LeafPlace extends InlineShape {
  /** How many blanks may stand before the block in its line. */
  readonly indent: number
  /** The bullets right ahead of the block in its line, as far as they are the same. */
  readonly bullets?: string
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
    case nodes.horizontal_rule: {
      const { md, leads = [] } = withoutLeads(spelling)
      if (leads.some(hangsOut)) return undefined
      // With its bullets it would be one rule.
      const [bullet] = place.bullets ?? ''
      if (bullet !== undefined && md.includes(bullet)) return undefined
      return soleToken(md) === 'hr' ? { md, segments: [], leads } : undefined
    }
    case nodes.html_block: {
      const { md, leads = [] } = withoutLeads(spelling)
      if (leads.some(hangsOut)) return undefined
      // Behind a marker its first blanks would be the marker's, and so would be those below.
      if (place.itemFirst === true && indentOf(md) > 0) return undefined
      return isSameHtml(node, md) ? { md, segments: [], leads } : undefined
    }
    default:
      return undefined
  }
}

function spelledTextblock(node: Node, spelling: string, place: LeafPlace): InlineText | undefined {
  if (node.childCount === 0 && node.type === nodes.paragraph) {
    return isBreakTag(spelling.trim()) ? { md: spelling, segments: [] } : undefined
  }
  const { md, leads } = withoutLeads(spelling)
  const source = readWritten(md, place.definitions)
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
  // Behind a marker its first blanks would be the marker's, and what is below would hang out.
  if (place.itemFirst === true && indentOf(text.md) > 0) return undefined
  if (hasEmptyLine(text.md)) return undefined
  if (place.itemFirst === true && taskBox(text.md.trimStart()) !== undefined) return undefined
  if (leads === undefined) return text
  if (hangsOut(leads[0] ?? '')) return undefined
  // Lines that hang out are only more of the paragraph as long as they are the lines they were.
  return areLazy(text.md, leads) ? { ...text, leads } : undefined
}

/** Which would end a block, or stand before it. */
const hasEmptyLine = (md: string): boolean => md.split('\n').some((line) => line.trim() === '')

interface LedText {
  readonly md: string
  readonly leads: readonly string[] | undefined
}

function withoutLeads(spelling: string): LedText {
  if (!spelling.includes(missingColumn)) return { md: spelling, leads: undefined }
  const lines = spelling.split('\n')
  const leads = lines.map(leadOfLine)
  return { md: lines.map(withoutLead).join('\n'), leads }
}

/** Whether each line that hangs out would be a paragraph by itself. */
function areLazy(md: string, leads: readonly string[]): boolean {
  const lines = md.split('\n')
  if (lines.length !== leads.length) return false
  return lines.every((line, index) => {
    if ((leads[index] ?? '') === '') return true
    return !/^[ \t]*[=-]+[ \t]*$/.test(line) && soleToken(line) === 'paragraph_open'
  })
}

/** The type of the first token of a text that is one block. */
function soleToken(source: string): string | undefined {
  const tokens = withinLimits(() => tokenize(source, parseEnv({ start: false }))) ?? []
  return tokens.length === 1 || tokens.length === 3 ? tokens[0]?.type : undefined
}

function isSameHtml(html: Node, spelling: string): boolean {
  if (closedHtmlBlock(spelling) !== sourceOf(html)) return false
  return !/\n[ \t]*\n/.test(spelling) && soleToken(spelling) === 'html_block'
}
