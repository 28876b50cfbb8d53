/**
 * PATCH /docs/:slug: request and response (interface §4.5), and the rules between fields that a
 * plain shape cannot say: which fields make one edit form, and what needs `base_revision`.
 */
import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { candidatesShape } from './error.ts'
import { displayNameShape, nullable } from './primitives.ts'
import { fatesShape } from './threads.ts'

const editsPerPatch = 100

const text = Type.String()
const target = nullable(Type.String({ minLength: 1, maxLength: 100 }))

export const editShape = Type.Object(
  {
    old_string: Type.Optional(Type.String({ minLength: 1 })),
    new_string: Type.Optional(text),
    at: Type.Optional(Type.Integer({ minimum: 0 })),
    after: Type.Optional(nullable(Type.String({ minLength: 1 }))),
    before: Type.Optional(nullable(Type.String({ minLength: 1 }))),
    after_block: Type.Optional(target),
    before_block: Type.Optional(target),
    delete_block: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    move_block: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  {
    additionalProperties: false,
    description:
      'One form an item: replace (old_string, new_string, at?), anchor insert (new_string, after ' +
      'and/or before), block insert (new_string, after_block or before_block), delete_block, or ' +
      'move_block with one of after_block and before_block.',
  },
)

export const outcomeShape = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    action: Type.Union([Type.Literal('remap'), Type.Literal('remove'), Type.Literal('keep')]),
    new_block_idx: Type.Optional(Type.Integer({ minimum: 0 })),
    new_block_quote: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)

export const patchDocumentBody = Type.Object(
  {
    edits: Type.Optional(Type.Array(editShape, { maxItems: editsPerPatch })),
    replace_document: Type.Optional(text),
    base_revision: Type.Optional(Type.Integer({ minimum: 0 })),
    comment_outcomes: Type.Optional(Type.Array(outcomeShape, { maxItems: limits.threadsMax })),
    display_name: Type.Optional(displayNameShape),
  },
  { additionalProperties: false },
)

export const patchDocumentQuery = Type.Object(
  {
    dryRun: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: '`true`: validate and return the resulting markdown without committing.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const patchDocumentSuccess = Type.Object(
  {
    markdown: Type.String(),
    revision: Type.Integer({ minimum: 1 }),
    edits: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ok: Type.Boolean(),
            index: Type.Integer(),
            code: Type.Optional(Type.String()),
            candidates: Type.Optional(candidatesShape),
          },
          { additionalProperties: true },
        ),
      ),
    ),
    failed_edit_indexes: Type.Optional(Type.Array(Type.Integer())),
    rebased: Type.Optional(Type.Boolean()),
    base_revision: Type.Optional(Type.Integer()),
    applied_to_revision: Type.Optional(Type.Integer()),
    applied_to_markdown_sha256: Type.Optional(Type.String()),
    sequential_reconcile: Type.Optional(Type.Boolean()),
    comments: Type.Optional(fatesShape),
    removed_blocks: Type.Optional(
      Type.Integer({
        description: 'Set when the new text removed more than half of at least 20 blocks.',
      }),
    ),
    revert: Type.Optional(
      Type.Object(
        { revision: Type.Integer({ minimum: 1 }) },
        { description: 'Send this to POST /docs/:slug/revert to restore them.' },
      ),
    ),
    warning: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

export type PatchBody = Static<typeof patchDocumentBody>
export type EditItem = Static<typeof editShape>

const fieldsOfForm = {
  replace: ['old_string', 'new_string', 'at'],
  'anchor insert': ['new_string', 'after', 'before'],
  'block insert': ['new_string', 'after_block', 'before_block'],
  delete: ['delete_block'],
  move: ['move_block', 'after_block', 'before_block'],
} as const

export type EditForm = keyof typeof fieldsOfForm

/** The form that the fields of this item announce; `undefined`: none. */
export function formOf(edit: EditItem): EditForm | undefined {
  if ('delete_block' in edit) return 'delete'
  if ('move_block' in edit) return 'move'
  if ('old_string' in edit) return 'replace'
  if ('after' in edit || 'before' in edit) return 'anchor insert'
  if ('after_block' in edit || 'before_block' in edit) return 'block insert'
  return undefined
}

/** What is wrong with the combination of fields; `undefined`: nothing. */
export function editProblem(edit: EditItem): string | undefined {
  const form = formOf(edit)
  if (form === undefined) {
    return (
      'is not a valid edit: send old_string, after, before, a block target or a block ' + 'command'
    )
  }
  const allowed: readonly string[] = fieldsOfForm[form]
  const extra = Object.keys(edit).find((field) => !allowed.includes(field))
  if (extra !== undefined) return `${form} edits do not take ${extra}`
  if (form !== 'delete' && form !== 'move' && edit.new_string === undefined) {
    return `${form} edits need new_string`
  }
  if (form === 'move' && 'after_block' in edit === 'before_block' in edit) {
    return 'move edits take exactly one of after_block and before_block'
  }
  return undefined
}

/** Whether an edit of this form means nothing without the revision it was written against. */
export const needsBaseRevision = (edit: EditItem): boolean =>
  formOf(edit) !== 'replace' || edit.at !== undefined
