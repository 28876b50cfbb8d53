/**
 * What a textblock prints, kept from reading to printing, so that what was just read is not printed
 * twice. It is kept on the node, and passed on to the same textblock with an id and an author, on
 * which nothing printed depends.
 */
import type { Node } from 'prosemirror-model'
import { type Definitions, noDefinitions } from './definitions.ts'
import { mayRefer } from './document-definitions.ts'
import type { InlineShape } from './inline-runs.ts'
import type { PrintedInline } from './printed.ts'

const kept = Symbol('printed inline')

interface KeptPrint {
  readonly setting: number
  readonly printed: PrintedInline
}

interface Keeping {
  [kept]?: KeptPrint
}

const settingOf = ({ heading, cell, itemFirst }: InlineShape): number =>
  (heading === true ? 1 : 0) + (cell === true ? 2 : 0) + (itemFirst === true ? 4 : 0)

/** `printed` reads back as the textblock without any link definition. */
export function keepInline(
  textblock: Node & Keeping,
  shape: InlineShape,
  printed: PrintedInline,
): void {
  textblock[kept] = { setting: settingOf(shape), printed }
}

/** What was kept, where it is printed in a place of the same shape. */
export function keptInline(
  textblock: Node & Keeping,
  shape: InlineShape,
): PrintedInline | undefined {
  const known = textblock[kept]
  if (known === undefined || known.setting !== settingOf(shape)) return undefined
  const definitions: Definitions = shape.definitions ?? noDefinitions
  return mayRefer(known.printed.md, definitions) ? undefined : known.printed
}

/** `to`: the same textblock with another id or other authors. */
export function passInline(from: Node & Keeping, to: Node & Keeping): void {
  const known = from[kept]
  if (known !== undefined) to[kept] = known
}
