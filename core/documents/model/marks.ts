/**
 * Text formats of Yjs and marks of ProseMirror: attribute name = mark name, value = the mark's
 * attrs, as y-prosemirror writes them (every mark of the schema excludes itself, so no hashed names
 * are written). One table decides what a format means; the mirror and repair both ask it.
 */
import { type AttributeSpec, Mark, type MarkType, type NodeType } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'
import { isSafeAddress } from '../../../schema/markdown/addresses.ts'

/** Attributes of a mark as a format value carries them: a record of strings, or nothing. */
type FormatValue = Readonly<Record<string, string>>

type Attribute = readonly [name: string, spec: AttributeSpec]

const attributesOf: ReadonlyMap<MarkType, readonly Attribute[]> = new Map(
  Object.values(documentSchema.marks).map((type) => [type, Object.entries(type.spec.attrs ?? {})]),
)

/** Every attribute of a mark in this schema is a string. */
function read(type: MarkType, value: unknown): FormatValue | undefined {
  const given = recordIn(value)
  const attrs: Record<string, string> = {}
  for (const attribute of attributesOf.get(type) ?? []) {
    const attr = attributeIn(given, attribute)
    if (attr === undefined) return undefined
    attrs[attribute[0]] = attr
  }
  return attrs
}

type MarkValues = Readonly<Record<string, unknown>>

const recordIn = (value: unknown): MarkValues =>
  typeof value === 'object' && value !== null ? (value as MarkValues) : {}

function attributeIn(
  given: MarkValues,
  [name, { default: fallback }]: Attribute,
): string | undefined {
  const attr = (Object.hasOwn(given, name) ? given[name] : undefined) ?? fallback
  return typeof attr === 'string' ? attr : undefined
}

/**
 * What repair makes of a format: its exact value under y-prosemirror's comparison (all attributes
 * of the mark, no others), or undefined where no such mark can stand in a text of `parent`, or
 * where it leads to an address that no document links to.
 */
export function exactFormat(parent: NodeType, name: string, value: unknown) {
  const type = documentSchema.marks[name]
  if (type === undefined || !parent.allowsMarkType(type)) return undefined
  const exact = read(type, value)
  const href = name === 'link' ? exact?.['href'] : undefined
  return href === undefined || isSafeAddress(href) ? exact : undefined
}

/**
 * True where y-prosemirror would hold `value` equal to `exact`, so that nothing need be written.
 */
export function isExact(value: unknown, exact: FormatValue): boolean {
  if (typeof value !== 'object' || value === null) return Object.keys(exact).length === 0
  const names = Object.keys(value)
  const given: Record<string, unknown> = { ...value }
  return (
    names.length === Object.keys(exact).length && names.every((name) => given[name] === exact[name])
  )
}

/** The marks that formats stand for; what is no mark of the schema is passed over. */
export function marksOf(formats: ReadonlyMap<string, unknown>): readonly Mark[] {
  let marks = Mark.none
  for (const [name, value] of formats) {
    const own = marksOfOne(name, value)
    marks = marks.length === 0 ? own : Mark.setFrom([...marks, ...own])
  }
  return marks
}

/** Marks that say nothing but that they are there. */
const plainMarks = new Map(
  Object.values(documentSchema.marks)
    .filter((type) => attributesOf.get(type)?.length === 0)
    .map((type) => [type.name, [type.create()]]),
)

/** The same few marks stand in many places: each is made once. By what its attributes are. */
const madeMarks = new Map<MarkType, Map<string, readonly Mark[]>>()
const madeMarksMax = 1_000
const madeMarkMaxChars = 200

function marksOfOne(name: string, value: unknown): readonly Mark[] {
  const plain = plainMarks.get(name)
  if (plain !== undefined) return plain
  const type = documentSchema.marks[name]
  const key = type && keyOf(type, value)
  if (type === undefined || key === undefined) return Mark.none
  const made = madeOf(type)
  const known = made.get(key)
  if (known !== undefined) return known
  const marks = [type.create(read(type, value))]
  if (key.length > madeMarkMaxChars) return marks
  if (made.size >= madeMarksMax) made.clear()
  made.set(key, marks)
  return marks
}

function madeOf(type: MarkType): Map<string, readonly Mark[]> {
  const known = madeMarks.get(type)
  if (known !== undefined) return known
  const made = new Map<string, readonly Mark[]>()
  madeMarks.set(type, made)
  return made
}

/** What its attributes are, in one text; undefined: it is no such mark. */
function keyOf(type: MarkType, value: unknown): string | undefined {
  const [only, ...others] = attributesOf.get(type) ?? []
  if (only !== undefined && others.length === 0) return attributeIn(recordIn(value), only)
  const attrs = read(type, value)
  return attrs && JSON.stringify(Object.values(attrs))
}

/** What begins and ends between two texts that stand next to each other; what ends, first. */
export function changeMarks(
  before: readonly Mark[],
  after: readonly Mark[],
  write: (name: string, begins: Mark | undefined) => void,
): void {
  for (const { type } of before) if (!type.isInSet(after)) write(type.name, undefined)
  for (const mark of after) if (!mark.isInSet(before)) write(mark.type.name, mark)
}

/** The format that y-prosemirror writes for this mark. */
export const formatOf = ({ attrs }: Mark): FormatValue => ({ ...attrs })

/** The formats that y-prosemirror writes for these marks. */
export function formatsOf(marks: readonly Mark[]): Record<string, FormatValue> {
  const formats: Record<string, FormatValue> = {}
  for (const mark of marks) formats[mark.type.name] = formatOf(mark)
  return formats
}
