/**
 * Code on the clipboard and where it goes. That it is code, VS Code says by data of its own, other
 * editors and terminals by the form of their HTML. Several lines are a block; a line without an end
 * is a piece of a sentence and becomes inline code, in which its stars and underscores stay signs.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { documentSchema } from '../../../schema/document-schema.ts'
import { onlyCode } from './foreign-code.ts'

export interface CopiedCode {
  readonly text: string
  readonly language: string
  /** A `pre` of its own is a block where there is room for one, also of one line. */
  readonly isBlock: boolean
}

const { nodes, marks } = documentSchema
const proseModes = /^(?:markdown|mdx|plaintext|git-commit|scminput)$/
const namelessModes = /^(?:code-text-binary|log|search-result)$/

/** Modes of VS Code that fences call by another name. */
const names: Readonly<Record<string, string>> = {
  typescriptreact: 'tsx',
  javascriptreact: 'jsx',
  shellscript: 'bash',
  jsonc: 'json',
  jsonl: 'json',
  dockercompose: 'yaml',
  'objective-c': 'objectivec',
  'objective-cpp': 'objectivec',
  'cuda-cpp': 'cpp',
  tex: 'latex',
}

/** Whether an editor says that what it copied is words, to be read as any text. */
export function isProseOfEditor(data: DataTransfer): boolean {
  return proseModes.test(modeOf(data) ?? '')
}

/** The code that is all there is on the clipboard. */
export function copiedCode(data: DataTransfer): CopiedCode | undefined {
  const text = data.getData('text/plain').replace(/\r\n?/g, '\n')
  const mode = modeOf(data)
  if (mode !== undefined && text !== '') {
    const language = namelessModes.test(mode) ? '' : (names[mode] ?? mode)
    return proseModes.test(mode) ? undefined : { text, language, isBlock: false }
  }
  const html = data.getData('text/html')
  if (!/white-space:\s*pre|<pre|blob-code|react-file-line/i.test(html)) return undefined
  const { body } = new window.DOMParser().parseFromString(html, 'text/html')
  const isOfCells = body.querySelector('table') !== null
  const isBlock = body.querySelector('pre') !== null
  const pre = onlyCode(body)
  if (pre === undefined) return undefined
  // The text has its tabs still, where no cells were made into tabs.
  const own = pre.textContent ?? ''
  const isSame = !isOfCells && text.replace(/\s+/g, '') === own.replace(/\s+/g, '')
  return { text: isSame ? text : own, language: pre.dataset['params'] ?? '', isBlock }
}

function modeOf(data: DataTransfer): string | undefined {
  const said = /"mode"\s*:\s*"([\w+#.-]+)"/.exec(data.getData('vscode-editor-data'))?.[1]
  return said?.toLowerCase()
}

/** Lines of code where no block may stand, parted by breaks. */
export function codeLines(text: string): Node[] {
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index > 0 ? [nodes.hard_break.create()] : []),
      ...(line.trim() === '' ? [] : [documentSchema.text(line, [marks.code.create()])]),
    ])
}

/** Puts code instead of the selection; undefined where it is to be read as anything else is. */
export function insertCode(state: EditorState, code: CopiedCode): Transaction | undefined {
  const { selection, tr } = state
  if (!(selection instanceof TextSelection)) return undefined
  const { $from, from, to } = selection
  const { parent } = $from
  const isLine = !code.text.includes('\n')
  const words = code.text.trim()
  if (words === '') return undefined
  if (isLine && !(code.isBlock && parent.content.size === 0)) {
    const around = $from
      .marks()
      .filter(({ type }) => type !== marks.authored && type !== marks.link)
    const set = marks.code.create().addToSet(around)
    return tr.replaceSelectionWith(documentSchema.text(words, set), false)
  }
  const text = code.text.replace(/\n$/, '')
  if (parent.type.spec['tableRole'] !== undefined) {
    return tr.replaceSelection(new Slice(Fragment.fromArray(codeLines(text)), 0, 0))
  }
  const block = nodes.code_block.create({ params: code.language }, documentSchema.text(text))
  tr.replaceRangeWith(from, to, block)
  tr.mapping.maps.at(-1)?.forEach((_from, _to, start, end) => {
    tr.doc.nodesBetween(start, end, (node, pos) => {
      if (node.eq(block)) tr.setSelection(TextSelection.create(tr.doc, pos + 1 + text.length))
    })
  })
  return tr
}
