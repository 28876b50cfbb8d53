/** What the slash menu offers, and which of it a typed filter means. */
import type { Command } from 'prosemirror-state'
import { keepPlace } from '../editor/binding/pending-places.ts'
import { blockKinds } from '../editor/commands/block-kinds.ts'
import { insertCallout, insertRule, insertTable } from '../editor/commands/insert.ts'
import type { PageAction } from '../editor/commands/page-actions.ts'
import type { BlockKindName } from '../editor/commands/selected-blocks.ts'
import { notify } from '../platform/notices.ts'

export type SlashItemName = BlockKindName | 'rule' | 'table' | 'image' | 'artifact' | 'callout'

export interface SlashItem {
  readonly name: SlashItemName
  readonly label: string
  /** What one types in place of the menu. */
  readonly typed?: string
  /** Other words for it, each a word that a filter may begin. */
  readonly aliases: readonly string[]
  readonly run: Command | PageAction
}

const about: Readonly<
  Record<BlockKindName, readonly [typed: string | undefined, aliases: string]>
> = {
  text: [undefined, 'paragraph plain normal'],
  'heading-1': ['#', 'h1 title big'],
  'heading-2': ['##', 'h2 subtitle'],
  'heading-3': ['###', 'h3'],
  'heading-4': ['####', 'h4'],
  'heading-5': ['#####', 'h5'],
  'heading-6': ['######', 'h6'],
  bullet: ['-', 'unordered points ul'],
  ordered: ['1.', 'ordered ol'],
  task: ['[]', 'todo to-do checkbox checklist'],
  quote: ['>', 'blockquote citation'],
  code: ['```', 'fence pre snippet'],
}

/** What is rarely wanted comes last. */
const isRare = ({ name }: SlashItem) => /^heading-[456]$/.test(name)

const kinds = blockKinds.map(({ name, label, turnInto }): SlashItem => {
  const [typed, aliases] = about[name]
  return {
    name,
    label,
    ...(typed === undefined ? {} : { typed }),
    aliases: aliases.split(' '),
    run: turnInto,
  }
})

export const slashItems: readonly SlashItem[] = [
  ...kinds.filter((item) => !isRare(item)),
  { name: 'table', label: 'Table', aliases: ['grid', 'columns', 'rows'], run: insertTable() },
  { name: 'image', label: 'Image', aliases: ['picture', 'photo', 'img'], run: 'image' },
  {
    name: 'artifact',
    label: 'Artifact',
    aliases: ['html', 'interactive', 'widget', 'app', 'embed'],
    run: (_state, dispatch, view) => {
      if (dispatch === undefined || view === undefined) return true
      const place = keepPlace(view)
      import('../uploads/choose-artifact.ts').then(
        ({ chooseArtifact }) => chooseArtifact(view, place),
        () => notify('This could not be loaded. Reload the page to try again.', 'problem'),
      )
      return true
    },
  },
  {
    name: 'callout',
    label: 'Callout',
    aliases: ['note', 'tip', 'warning', 'important', 'caution', 'admonition'],
    run: insertCallout(),
  },
  {
    name: 'rule',
    label: 'Divider',
    typed: '---',
    aliases: ['rule', 'hr', 'line', 'separator'],
    run: insertRule,
  },
  ...kinds.filter(isRare),
]

/** The items in which every word of the filter begins a word; those whose name begins so first. */
export function itemsFor(filter: string): readonly SlashItem[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (item: SlashItem) => {
    const own = [...item.label.toLowerCase().split(' '), ...item.aliases]
    return words.every((word) => own.some((candidate) => candidate.startsWith(word)))
  }
  const isNamed = (item: SlashItem) => item.label.toLowerCase().startsWith(words.join(' '))
  const found = slashItems.filter(fits)
  return [...found.filter(isNamed), ...found.filter((item) => !isNamed(item))]
}
