/**
 * Code on the clipboard and where it goes. That it is code, VS Code says by data of its own, other
 * editors and terminals by the form of their HTML, and a bare text by its lines. Several lines are
 * a block; a line without an end is a piece of a sentence and becomes inline code, in which its
 * stars and underscores stay signs.
 */
import { Fragment, Slice } from 'prosemirror-model'
import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { documentSchema } from '../../../schema/document-schema.ts'
import type { Clip } from './clip.ts'
import { codeLines } from './code-lines.ts'
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
export const isProseOfEditor = (clip: Clip): boolean => proseModes.test(modeOf(clip) ?? '')

/** The code that is all there is on the clipboard. */
export function copiedCode(clip: Clip): CopiedCode | undefined {
  const { html, text } = clip
  const mode = modeOf(clip)
  if (mode !== undefined && text !== '') {
    const language = namelessModes.test(mode) ? '' : (names[mode] ?? mode)
    return proseModes.test(mode) ? undefined : { text, language, isBlock: false }
  }
  if (html === '') {
    return looksLikeCode(text) ? { text, language: '', isBlock: true } : undefined
  }
  if (isOwnProse(html)) return undefined
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

/** Our own HTML with more in it than code: all of a long document takes long to be read twice. */
const isOwnProse = (html: string): boolean =>
  html.includes('data-pm-slice') && /<(?:p|h[1-6]|li|table|blockquote)[\s>]/.test(html)

function modeOf({ editor }: Clip): string | undefined {
  return /"mode"\s*:\s*"([\w+#.-]+)"/.exec(editor)?.[1]?.toLowerCase()
}

/** Lines that are nothing but code: statements, calls, assignments, comments, brackets. */
const codeLine = new RegExp(
  [
    '[;{}([]$|=>|^\\s*[})\\]]+[;,]?$',
    '\\w\\([^)]*\\)\\s*[:;{,]?$|^\\s*[\\w.[\\]]+(?: [\\w<>]+)?\\s*[-+*/:]?=\\s*\\S',
    '^\\s*(?:import|from|use|using|package) [\\w.:{]+',
    '^\\s*(?:def|class|fn|func|function|const|let|var) \\w+',
    '^\\s*(?:return\\b.*|else:?|try:|pass|break)$|^\\s*(?:if|elif|for|while|with)\\b.*:$',
    '^\\s*(?://|/\\*|\\*/|#|--)',
  ].join('|'),
)
const linesMax = 200

/**
 * Whether a text without HTML is code: GitHub's view of a file and many terminals give no more. Only
 * where lines are indented, since nothing is lost of others, and where nearly all of them are code.
 */
function looksLikeCode(text: string): boolean {
  const lines = text.split('\n', linesMax).filter((line) => line.trim() !== '')
  if (lines.length < 3 || !lines.some((line) => /^(?: {2}|\t)/.test(line))) return false
  if (lines.some((line) => /^\s*(?:```|~~~|[-*+] \S|> |\d+[.)] )/.test(line))) return false
  return lines.filter((line) => codeLine.test(line.trimEnd())).length >= lines.length * 0.6
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
