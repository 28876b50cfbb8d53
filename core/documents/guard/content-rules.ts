/**
 * What may stand in the Y.Doc, drawn from the ProseMirror schema: node names, attributes and marks
 * with the primitive types their specs name. Whether a tree is valid (content expressions, ranges
 * of numbers, well-formed ids) is the business of the repair that follows every write.
 */
import { documentSchema } from '../../../schema/document-schema.ts'
import { limits } from '../../../schema/limits.ts'

export const markAttributeMaxChars = 64 * 1024

/** What an attribute of the Y.Doc may hold at all. */
export type Primitive = string | number | boolean | null

interface Field {
  /** Allowed types; undefined: any primitive. */
  readonly types: ReadonlySet<string> | undefined
  readonly required: boolean
  readonly maxChars: number
}
type Fields = ReadonlyMap<string, Field>

/** Longest name of an actor in an `authored` mark. */
const authorMaxChars = 256
/**
 * A character of a mark's value takes at most six bytes as JSON (`\u0000`); every field at its
 * longest.
 */
export const markValueMaxBytes = 16 * markAttributeMaxChars

function fieldsOf(
  attrs: Readonly<Record<string, object>> | null | undefined,
  maxChars: number,
): Fields {
  return new Map(
    Object.entries(attrs ?? {}).map(([name, spec]) => {
      const validate = 'validate' in spec ? spec.validate : undefined
      const types = typeof validate === 'string' ? new Set(validate.split('|')) : undefined
      return [name, { types, required: !('default' in spec), maxChars }]
    }),
  )
}

const attributesOf: ReadonlyMap<string, Fields> = new Map(
  Object.entries(documentSchema.nodes)
    .filter(([name]) => name !== 'doc' && name !== 'text')
    .map(([name, type]) => [name, fieldsOf(type.spec.attrs, limits.attributeMaxChars)]),
)

const fieldsOfMark: ReadonlyMap<string, Fields> = new Map(
  Object.entries(documentSchema.marks).map(([name, type]) => {
    const maxChars = name === 'authored' ? authorMaxChars : markAttributeMaxChars
    return [name, fieldsOf(type.spec.attrs, maxChars)]
  }),
)

export const isNodeName = (name: string): boolean => attributesOf.has(name)
export const isMarkName = (name: string): boolean => fieldsOfMark.has(name)

function fits(field: Field, value: unknown): value is Primitive {
  if (value === null) return field.types?.has('null') ?? true
  if (typeof value === 'string' && value.length > field.maxChars) return false
  if (typeof value === 'number' && !Number.isFinite(value)) return false
  if (field.types !== undefined) return field.types.has(typeof value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Whether a node of this name may carry the attribute with this value. */
export function isAttribute(node: string, name: string, value: Primitive): boolean {
  const field = attributesOf.get(node)?.get(name)
  return field !== undefined && fits(field, value)
}

/**
 * Whether the value opens (attributes of the mark, or plain `true` when it has none) or ends (null)
 * it.
 */
export function isMarkValue(mark: string, value: unknown): boolean {
  const fields = fieldsOfMark.get(mark)
  if (fields === undefined) return false
  if (value === null) return true
  if (value === true) return fields.size === 0
  if (typeof value !== 'object' || Array.isArray(value)) return false
  const given = new Map<string, unknown>(Object.entries(value))
  for (const [name, part] of given) {
    const field = fields.get(name)
    if (field === undefined || !fits(field, part)) return false
  }
  for (const [name, field] of fields) if (field.required && !given.has(name)) return false
  return true
}
