/**
 * The edit forms of interface §4.5 as one tagged union, and their reading from the wire, whose
 * shape has been checked. What depends on the document (does the text match?) is not judged here.
 */
import { assertNever, Refusal } from '../../../../schema/errors.ts'
import { type EditItem, editProblem, formOf } from '../../../../schema/wire/patch-document.ts'

/** Replaces the text that `oldString` matches; `at` chooses among several by offset. */
export interface ReplaceEdit {
  readonly form: 'replace'
  readonly oldString: string
  readonly newString: string
  readonly at?: number
}

/**
 * Inserts beside text anchors; null is the start (`after`) or the end (`before`) of the document.
 */
export interface AnchorInsertEdit {
  readonly form: 'anchor_insert'
  readonly newString: string
  readonly after?: string | null
  readonly before?: string | null
}

/** Inserts blocks beside blocks; null is the start (`afterBlock`) or the end (`beforeBlock`). */
export interface BlockInsertEdit {
  readonly form: 'block_insert'
  readonly newString: string
  readonly afterBlock?: string | null
  readonly beforeBlock?: string | null
}

export interface DeleteBlockEdit {
  readonly form: 'delete_block'
  readonly block: string
}

/** Exactly one of the destinations is given. */
export interface MoveBlockEdit {
  readonly form: 'move_block'
  readonly block: string
  readonly afterBlock?: string | null
  readonly beforeBlock?: string | null
}

export interface ReplaceDocumentEdit {
  readonly form: 'replace_document'
  readonly markdown: string
  /** It was the document's before: HTML in it was, too. */
  readonly asItWas?: boolean
}

export type Edit =
  | ReplaceEdit
  | AnchorInsertEdit
  | BlockInsertEdit
  | DeleteBlockEdit
  | MoveBlockEdit
  | ReplaceDocumentEdit

/** Whether an edit means nothing without the revision it was written against (interface §4.5). */
export const needsBase = (edit: Edit): boolean => edit.form !== 'replace' || edit.at !== undefined

/**
 * Line ends become those of markdown; half a surrogate pair, which Yjs cannot hold, is none. A
 * pattern would take a second for a text of nothing but carriage returns.
 */
const clean = (text: string): string =>
  text.split('\r\n').join('\n').split('\r').join('\n').toWellFormed()

/**
 * Items of `edits` as they came, of the documented shape; a whole document is `{replace_document}`.
 */
export function readEdits(
  items: readonly Readonly<Record<string, unknown>>[],
  { asItWas = false }: { readonly asItWas?: boolean } = {},
): Edit[] {
  return items.map((item, index) => {
    const { replace_document: markdown } = item
    if (typeof markdown === 'string') {
      return { form: 'replace_document', markdown: clean(markdown), asItWas }
    }
    const edit = readEdit(item)
    if (edit !== undefined) return edit
    const message = editProblem(item) ?? 'does not have the documented form'
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: `/edits/${index}`, message }] })
  })
}

function readEdit(item: EditItem): Edit | undefined {
  const form = formOf(item)
  if (form === undefined || editProblem(item) !== undefined) return undefined
  const newString = clean(item.new_string ?? '')
  const blockTarget = {
    ...(item.after_block === undefined ? {} : { afterBlock: item.after_block }),
    ...(item.before_block === undefined ? {} : { beforeBlock: item.before_block }),
  }
  switch (form) {
    case 'replace': {
      const oldString = clean(item.old_string ?? '')
      const at = item.at === undefined ? {} : { at: item.at }
      return { form: 'replace', oldString, newString, ...at }
    }
    case 'anchor insert': {
      const { after, before } = item
      return {
        form: 'anchor_insert',
        newString,
        ...(after === undefined ? {} : { after: after && clean(after) }),
        ...(before === undefined ? {} : { before: before && clean(before) }),
      }
    }
    case 'block insert':
      return { form: 'block_insert', newString, ...blockTarget }
    case 'delete':
      return { form: 'delete_block', block: item.delete_block ?? '' }
    case 'move':
      return { form: 'move_block', block: item.move_block ?? '', ...blockTarget }
    default:
      return assertNever(form)
  }
}
