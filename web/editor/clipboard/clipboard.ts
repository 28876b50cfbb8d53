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
import { actAt, keepPlace } from '../binding/pending-places.ts'
import { type Clip, clipOf } from './clip.ts'
import { safeAddress } from './dom-rules.ts'
import { copyAgain } from './early-copy.ts'
import { HtmlParser } from './html-parser.ts'
import type { OwnCopy } from './own-copy.ts'
import { looksLikeMarkdown } from './pasted-text.ts'

/** What comes with the first selection or paste. */
type Late = typeof import('./markdown.ts') &
  typeof import('./cells.ts') &
  typeof import('./copied-code.ts') &
  typeof import('./foreign-html.ts') &
  typeof import('./present-images.ts')

const { nodes, marks } = documentSchema
/** Deeper nesting than the service takes would cost the page its copy. */
const depthMax = 32

export function clipboard(): Plugin {
  let late: Late | undefined
  /** Ids of blocks that were cut last: put back once, they keep them. */
  let cutIds: ReadonlySet<string> = new Set()
  let own: OwnCopy | undefined
  let isShifted = false
  const load = async () => {
    const [markdown, cells, code, html, images, copies] = await Promise.all([
      import('./markdown.ts'),
      import('./cells.ts'),
      import('./copied-code.ts'),
      import('./foreign-html.ts'),
      import('./present-images.ts'),
      import('./own-copy.ts'),
    ])
    own ??= new copies.OwnCopy()
    late ??= { ...markdown, ...cells, ...code, ...html, ...images }
    return late
  }
  const printing = () => load().then(({ sliceMarkdown }) => sliceMarkdown)
  return new Plugin({
    // Who selects may be about to copy, and copying cannot wait. Where the printer cannot be had,
    // away from the service, the words are copied without their form.
    view({ dom }) {
      const listening = new AbortController()
      const { signal } = listening
      // The view listens for them since it is there, so it has answered before.
      for (const kind of ['copy', 'cut'] as const) {
        dom.addEventListener(kind, (event) => own?.end(event), { signal })
      }
      return {
        update: ({ state }) => {
          if (!state.selection.empty) load().catch(() => undefined)
        },
        destroy: () => listening.abort(),
      }
    },
    props: {
      transformCopied: (slice) => late?.withPresentImages(slice) ?? slice,
      clipboardParser: new HtmlParser((root) => late?.cleaned(root)),
      clipboardTextSerializer: (slice) =>
        late?.sliceMarkdown(slice) ?? slice.content.textBetween(0, slice.content.size, '\n\n'),
      clipboardTextParser: (text, $context, isPlain) =>
        isPlain ? wordsSlice(text, $context) : textSlice(text, $context, late),
      transformPasted(slice, view) {
        if (view.dragging?.move === true) return slice
        const fresh = arrived(slice, { kept: cutIds, view, late })
        cutIds = new Set()
        return fresh
      },
      handlePaste(view, event) {
        if (event.clipboardData === null || isShifted || isInCode(view)) return false
        const clip = clipOf(event.clipboardData)
        if (late !== undefined) return take(view, clip, late)
        if (!isForLate(clip) && !isInCell(view.state.selection.$from)) return false
        const place = keepPlace(view)
        const act = (loaded?: Late) => {
          if (!view.editable || (loaded && take(view, clip, loaded))) return
          if (clip.html !== '') view.pasteHTML(clip.html)
          else pasteText(view, clip.text, loaded)
        }
        const paste = (loaded?: Late) => actAt(view, place, () => act(loaded))
        // Away from the service the words are better than nothing.
        load().then(paste, () => paste())
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
        paste(view, event) {
          const slice = event.clipboardData && !isShifted && own?.sliceOf(event.clipboardData)
          if (!slice || !view.editable || isInCode(view)) return false
          event.preventDefault()
          pasteSlice(view, event, arrived(slice, { kept: cutIds, view, late }))
          cutIds = new Set()
          return true
        },
        copy(view) {
          own?.begin(view.state)
          if (late === undefined) copyAgain(view, printing())
          return false
        },
        cut(view) {
          own?.begin(view.state)
          if (late === undefined) copyAgain(view, printing())
          cutIds = idsIn(view.state.selection.content().content)
          return false
        },
      },
    },
  })
}

const isInCode = (view: EditorView): boolean =>
  view.state.selection.$from.parent.type.spec.code === true

/** What only the parts that come after the page can read. */
const isForLate = ({ html, text }: Clip): boolean =>
  html === '' ? looksLikeMarkdown(text) || /[\n\t]/.test(text) : !html.includes('data-pm-slice')

/**
 * Pastes what the view would not read as it is meant: code, and text whose HTML says no more than
 * it does itself. False for anything else.
 */
function take(view: EditorView, clip: Clip, late: Late): boolean {
  const code = late.copiedCode(clip)
  const tr = code === undefined ? undefined : late.insertCode(view.state, code)
  if (tr !== undefined) {
    view.dispatch(tr.scrollIntoView().setMeta('paste', true))
    return true
  }
  const { html, text } = clip
  const isBare = !/<(?!\/?(?:html|head|body|meta|div|span|br|font|!--))[a-z]/i.test(html)
  const isMarkdown = html !== '' && isBare && looksLikeMarkdown(text)
  if (!isMarkdown && !late.isProseOfEditor(clip)) return false
  pasteText(view, text, late)
  return true
}

function pasteText(view: EditorView, text: string, late: Late | undefined): void {
  const { $from } = view.state.selection
  const slice = arrived(textSlice(text, $from, late), { kept: new Set(), view, late })
  pasteSlice(view, new ClipboardEvent('paste'), slice)
}

function pasteSlice(view: EditorView, event: ClipboardEvent, slice: Slice): void {
  // A table takes cells into its own.
  if (view.someProp('handlePaste', (handle) => handle(view, event, slice))) return
  const { tr } = view.state
  tr.replaceSelection(slice).setMeta('paste', true).setMeta('uiEvent', 'paste')
  view.dispatch(tr.scrollIntoView())
}

function textSlice(text: string, $context: ResolvedPos, late: Late | undefined): Slice {
  const body = text.replace(/\r\n?/g, '\n')
  const cells = late?.cellsOf(body)
  if (late && cells && (isInCell($context) || cells.length > 1)) {
    return new Slice(Fragment.from(late.tableOf(cells)), 0, 0)
  }
  if (late && looksLikeMarkdown(body)) return late.markdownSlice(body)
  return wordsSlice(body, $context)
}

const isInCell = ($pos: ResolvedPos): boolean =>
  $pos.parent.type === nodes.table_cell || $pos.parent.type === nodes.table_header

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
  readonly late?: Late | undefined
}

/** What is pasted, as it can stand at the selection. */
function arrived(slice: Slice, arrival: Arrival): Slice {
  const fresh = asNew(slice, arrival)
  if (!isInCell(arrival.view.state.selection.$from)) return fresh
  const { content } = fresh
  // A cell takes one line; where what parts lines by breaks cannot be had, they are one.
  const words = () => text(content.textBetween(0, content.size, ' '))
  return arrival.late?.cellSlice(fresh) ?? new Slice(Fragment.from(words()), 0, 0)
}

/** The same content without ids and authors, and with nothing in it that no document holds. */
export function asNew(slice: Slice, { kept, view }: Arrival): Slice {
  const isEmpty = view.state.doc.childCount === 1 && view.state.doc.content.size <= 2
  const renewed = (node: Node, depth: number, isFirst = false): Node => {
    if (node.isText) return node.mark(node.marks.filter(isKept))
    const id: unknown = node.attrs['id']
    const isCut = typeof id === 'string' && kept.has(id)
    const attrs = 'id' in node.attrs && !isCut ? { ...node.attrs, id: null } : node.attrs
    if (node.type === nodes.front_matter && !(isEmpty && isFirst)) {
      return nodes.code_block.create({ params: 'yaml' }, withoutMarks(node))
    }
    if (depth > depthMax && !node.isTextblock && !node.isLeaf) {
      return nodes.paragraph.create(null, text(node.textContent))
    }
    const children = node.children.map((child) => renewed(child, depth + 1))
    return node.type.create(attrs, children, node.marks.filter(isKept))
  }
  const content = slice.content.content.map((node, at) => renewed(node, 0, at === 0))
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
