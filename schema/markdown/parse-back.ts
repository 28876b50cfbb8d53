/**
 * Reading back what was printed, which is how the printer knows that a spelling holds: a textblock
 * alone in the smallest wrapper of its shape, an HTML block with a paragraph behind it.
 */
import type { Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { Refusal } from '../errors.ts'
import type { Definitions } from './definitions.ts'
import { elidedRuns } from './elision.ts'
import { isPlainHtmlBlock } from './html.ts'
import { type InlineRun, type InlineShape, sameMarks } from './inline-runs.ts'
import { checkedOf, sourceOf } from './node-attributes.ts'
import { readMarkdown } from './read-markdown.ts'

const { nodes } = documentSchema

/** Whether the text of a textblock reads back as these runs. */
export function readsBackAs(md: string, runs: readonly InlineRun[], shape: InlineShape): boolean {
  const textblock = readTextblock(md, shape)
  if (textblock === undefined) return false
  const read = elidedRuns(textblock, shape)
  return read.length === runs.length && runs.every((run, i) => isSameRun(run, read[i]))
}

/** Whether an HTML block's source, alone, is read as that block. */
export function isHtmlBlock(source: string): boolean {
  if (source === '' || source.trim() !== source) return false
  if (isPlainHtmlBlock(source)) return true
  const doc = parseAlone(`${source}\n\nx`)
  const [html, paragraph] = doc?.children ?? []
  if (doc?.childCount !== 2 || html?.type !== nodes.html_block) return false
  return sourceOf(html) === source && paragraph?.type === nodes.paragraph
}

function readTextblock(md: string, shape: InlineShape): Node | undefined {
  const parse = (text: string) => parseAlone(text, shape.definitions)
  if (shape.cell === true) {
    const doc = parse(`| ${md} |\n| --- |`)
    return soleDescendant(doc, ['table', 'table_row', 'table_header'])
  }
  if (shape.heading === true) return soleDescendant(parse(`# ${md}`), ['heading'])
  if (shape.itemFirst !== true) return soleDescendant(parse(md), ['paragraph'])
  const doc = parse(`- ${md.replaceAll('\n', '\n  ')}`)
  const item = soleDescendant(doc, ['bullet_list', 'list_item'])
  if (item === undefined || checkedOf(item) !== null) return undefined
  return soleDescendant(item, ['paragraph'])
}

/** The node at the end of a path of only children of these types. */
function soleDescendant(from: Node | undefined, path: readonly string[]): Node | undefined {
  let node = from
  for (const name of path) {
    const child = node?.childCount === 1 ? node.firstChild : null
    if (child?.type.name !== name) return undefined
    node = child
  }
  return node
}

function parseAlone(text: string, definitions?: Definitions): Node | undefined {
  try {
    return readMarkdown(text, { start: false, ...(definitions && { definitions }) })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function isSameRun(a: InlineRun, b: InlineRun | undefined): boolean {
  if (b === undefined || !sameMarks(a.marks, b.marks)) return false
  if (a.kind === 'text') return b.kind === 'text' && a.text === b.text
  return b.kind === 'leaf' && a.node.eq(b.node)
}
