/**
 * Copying gives HTML and canonical markdown; pasting takes our HTML, other programs', markdown,
 * cells and words. What is pasted is a new thing: ids are given anew and the one who pastes is
 * credited, unless the words were cut here, which the service's ledger knows. What is dragged
 * within the text is moved and keeps both. Code takes what is pasted to the letter.
 */
import { Fragment, type Node, type ResolvedPos, Slice } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { documentSchema } from '../../../schema/document-schema.ts'
import { codeLines, copiedCode, insertCode, isProseOfEditor } from './copied-code.ts'
import { safeAddress } from './dom-rules.ts'
import { htmlParser } from './html-parser.ts'
import { cellsOf, looksLikeMarkdown } from './pasted-text.ts'

type Markdown = typeof import('./markdown.ts')

const { nodes, marks } = documentSchema
/** Deeper nesting than the service takes would cost the page its copy. */
const depthMax = 32

export function clipboard(): Plugin {
  let markdown: Markdown | undefined
  /** Ids of blocks that were cut last: put back once, they keep them. */
  let cutIds: ReadonlySet<string> = new Set()
  let isShifted = false
  const load = async () => {
    markdown ??= await import('./markdown.ts')
    return markdown
  }
  return new Plugin({
    // Copying cannot wait for the printer; who selects may be about to copy. Where it cannot be
    // had, away from the service, the words are copied without their form.
    view: () => ({
      update: ({ state }) => {
        if (!state.selection.empty) load().catch(() => undefined)
      },
    }),
    props: {
      clipboardParser: htmlParser,
      clipboardTextSerializer: (slice) =>
        markdown?.sliceMarkdown(slice) ?? slice.content.textBetween(0, slice.content.size, '\n\n'),
      clipboardTextParser: (text, $context, isPlain) =>
        isPlain ? wordsSlice(text, $context) : textSlice(text, $context, markdown),
      transformPasted(slice, view) {
        if (view.dragging?.move === true) return slice
        const fresh = asNew(slice, { kept: cutIds, view })
        cutIds = new Set()
        return isInCell(view.state.selection.$from) ? cellSlice(fresh) : fresh
      },
      handlePaste(view, event) {
        const { clipboardData: data } = event
        if (data === null || isShifted || isInCode(view)) return false
        const code = copiedCode(data)
        const tr = code === undefined ? undefined : insertCode(view.state, code)
        if (tr !== undefined) {
          view.dispatch(tr.scrollIntoView().setMeta('paste', true))
          return true
        }
        const text = markdownOf(data, markdown)
        if (text !== undefined) void load().then((loaded) => insertMarkdown(view, text, loaded))
        else if (!isProseOfEditor(data)) return false
        else view.pasteText(data.getData('text/plain'))
        return true
      },
      handleDOMEvents: {
        keydown(_, event) {
          isShifted = event.shiftKey
          return false
        },
        // A file that nobody takes would make the browser leave the page for it.
        drop(_, event) {
          const isFile = event.dataTransfer?.types.includes('Files') === true
          if (isFile) event.preventDefault()
          return isFile
        },
        cut(view) {
          cutIds = idsIn(view.state.selection.content().content)
          return false
        },
      },
    },
  })
}

const isInCode = (view: EditorView): boolean =>
  view.state.selection.$from.parent.type.spec.code === true

/**
 * The markdown of a paste that the view would not read as such: its HTML says no more than its text
 * (from a terminal or a code editor), or the parser is still on its way.
 */
function markdownOf(data: DataTransfer, loaded: Markdown | undefined): string | undefined {
  const [html, text] = [data.getData('text/html'), data.getData('text/plain')]
  if (!looksLikeMarkdown(text)) return undefined
  if (html === '') return loaded === undefined ? text : undefined
  const isPlain = !/<(?!\/?(?:html|head|body|meta|div|span|br|font|!--))[a-z]/i.test(html)
  return isProseOfEditor(data) || isPlain ? text : undefined
}

function insertMarkdown(view: EditorView, text: string, { markdownSlice }: Markdown): void {
  if (view.isDestroyed) return
  const slice = asNew(markdownSlice(text.replace(/\r\n?/g, '\n')), { kept: new Set(), view })
  const { tr } = view.state
  view.dispatch(tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true))
}

function textSlice(text: string, $context: ResolvedPos, markdown: Markdown | undefined): Slice {
  const body = text.replace(/\r\n?/g, '\n')
  const cells = cellsOf(body)
  if (cells !== undefined && (isInCell($context) || cells.length > 1)) {
    return new Slice(Fragment.from(tableOf(cells)), 0, 0)
  }
  if (markdown !== undefined && looksLikeMarkdown(body)) return markdown.markdownSlice(body)
  return wordsSlice(body, $context)
}

const isInCell = ($pos: ResolvedPos): boolean =>
  $pos.parent.type === nodes.table_cell || $pos.parent.type === nodes.table_header

/** A cell takes one line: the lines of what is pasted are parted by breaks. Cells stay cells. */
function cellSlice(slice: Slice): Slice {
  const line: Node[] = []
  let isTable = false
  const take = (node: Node): boolean => {
    isTable ||= node.type.spec['tableRole'] !== undefined
    if (!node.isTextblock) return !isTable
    if (line.length > 0) line.push(nodes.hard_break.create())
    const isCode = node.type.spec.code === true
    if (!isCode) line.push(...node.children)
    else line.push(...codeLines(node.textContent))
    return false
  }
  for (const node of slice.content.content) {
    if (node.isInline) return slice
    if (take(node)) node.descendants(take)
  }
  return isTable ? slice : new Slice(Fragment.fromArray(line), 0, 0)
}

function tableOf(cells: readonly (readonly string[])[]): Node {
  return nodes.table.create(
    null,
    cells.map((row, index) =>
      nodes.table_row.create(
        null,
        row.map((cell) => {
          const type = index === 0 ? nodes.table_header : nodes.table_cell
          const words = cell.replace(/\s+/g, ' ').trim()
          return type.create(null, words === '' ? null : documentSchema.text(words))
        }),
      ),
    ),
  )
}

/** Paragraphs are parted by blank lines; a line end within one is its own. */
function wordsSlice(text: string, $context: ResolvedPos): Slice {
  const around = $context
    .marks()
    .filter(({ type }) => type !== marks.authored && type !== marks.link)
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((words) =>
      nodes.paragraph.create(null, words === '' ? null : documentSchema.text(words, around)),
    )
  return new Slice(Fragment.fromArray(paragraphs), 1, 1)
}

interface Arrival {
  readonly kept: ReadonlySet<string>
  readonly view: EditorView
}

/** The same content without ids and authors, and with nothing in it that no document holds. */
export function asNew(slice: Slice, { kept, view }: Arrival): Slice {
  const isEmpty = view.state.doc.childCount === 1 && view.state.doc.content.size <= 2
  const renewed = (node: Node, depth: number): Node => {
    if (node.isText) return node.mark(node.marks.filter(isKept))
    const id: unknown = node.attrs['id']
    const isCut = typeof id === 'string' && kept.has(id)
    const attrs = 'id' in node.attrs && !isCut ? { ...node.attrs, id: null } : node.attrs
    if (node.type === nodes.front_matter && !(isEmpty && depth === 0)) {
      return nodes.code_block.create({ params: 'yaml' }, withoutMarks(node))
    }
    if (depth > depthMax && !node.isTextblock && !node.isLeaf) {
      return nodes.paragraph.create(null, text(node.textContent))
    }
    const children = node.children.map((child) => renewed(child, depth + 1))
    return node.type.create(attrs, children, node.marks.filter(isKept))
  }
  const content = slice.content.content.map((node) => renewed(node, 0))
  const { openStart, openEnd } = slice
  const isFlattened = Math.max(openStart, openEnd) > depthMax
  return isFlattened
    ? Slice.maxOpen(Fragment.fromArray(content))
    : new Slice(Fragment.fromArray(content), openStart, openEnd)
}

const text = (words: string) => (words === '' ? null : documentSchema.text(words))
const withoutMarks = (node: Node) => text(node.textContent)

function isKept({ type, attrs }: Node['marks'][number]): boolean {
  if (type === marks.authored) return false
  return type !== marks.link || safeAddress(attrs['href'] as string) !== undefined
}

function idsIn(content: Fragment): Set<string> {
  const ids = new Set<string>()
  content.descendants((node) => {
    if (typeof node.attrs['id'] === 'string') ids.add(node.attrs['id'])
  })
  return ids
}
