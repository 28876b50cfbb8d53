/** What a person can turn a block into, in the order in which menus offer it. */
import type { Command } from 'prosemirror-state'
import { convert } from './convert.ts'
import type { BlockKindName } from './selected-blocks.ts'

export interface BlockKind {
  readonly name: BlockKindName
  readonly label: string
  /** Makes the selected blocks of this kind. */
  readonly turnInto: Command
}

const labels: readonly (readonly [BlockKindName, string])[] = [
  ['text', 'Text'],
  ...([1, 2, 3, 4, 5, 6] as const).map(
    (level) => [`heading-${level}`, `Heading ${level}`] as const,
  ),
  ['bullet', 'Bulleted list'],
  ['ordered', 'Numbered list'],
  ['task', 'Task list'],
  ['quote', 'Quote'],
  ['code', 'Code block'],
]

export const blockKinds: readonly BlockKind[] = labels.map(([name, label]) => ({
  name,
  label,
  turnInto: convert(name),
}))
