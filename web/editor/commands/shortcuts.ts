/**
 * Every shortcut of the page, once: the keymap is built from this table and so is the sheet that
 * shows it. The first key of a row is shown, the others are those that people bring along from
 * other editors.
 */
import { chainCommands, exitCode } from 'prosemirror-commands'
import type { Command } from 'prosemirror-state'
import { indentCode } from './code.ts'
import { convert, toggle } from './convert.ts'
import { insertHardBreak } from './insert.ts'
import { nestItems, toggleChecked, unnestItems } from './lists.ts'
import { clearMarks, toggleEmphasis } from './marks.ts'
import { moveUnits } from './moving.ts'
import { redoOwn, undoOwn } from './own-undo.ts'
import type { PageAction, PageActions } from './page-actions.ts'
import { asUndoStep } from './undo-step.ts'
import { deleteUnits, duplicateUnits } from './units.ts'

export type ShortcutGroup = 'Text' | 'Blocks' | 'Arrange' | 'Suggestions' | 'Page'
export const shortcutGroups: readonly ShortcutGroup[] = [
  'Text',
  'Blocks',
  'Arrange',
  'Suggestions',
  'Page',
]

export interface Shortcut {
  readonly group: ShortcutGroup
  readonly label: string
  /** In the notation of prosemirror-keymap; `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
  readonly keys: readonly string[]
  /** Not given: another part of the editor answers these keys. */
  readonly run?: Command
  /** What is said of it to who cannot see it, where it changed the text. */
  readonly said?: string
  /** Answered wherever the focus is, not in the text alone. */
  readonly isEverywhere?: boolean
}

/** Answers its key also where it has nothing to do, so that the browser does not. */
const always =
  (command: Command): Command =>
  (state, dispatch, view) => {
    command(state, dispatch, view)
    return true
  }

/** A change of the text, undone by itself. */
const change = (command: Command): Command => always(asUndoStep(command))

const text: readonly Shortcut[] = [
  { label: 'Bold', keys: ['Mod-b'], run: change(toggleEmphasis('strong')) },
  { label: 'Italic', keys: ['Mod-i'], run: change(toggleEmphasis('em')) },
  {
    label: 'Strikethrough',
    keys: ['Mod-Shift-x', 'Mod-Shift-s', 'Alt-Shift-5'],
    run: change(toggleEmphasis('strike')),
  },
  { label: 'Code', keys: ['Mod-e'], run: change(toggleEmphasis('code')) },
  { label: 'Clear formatting', keys: ['Mod-\\'], run: change(clearMarks) },
  { label: 'Line break', keys: ['Shift-Enter'], run: insertHardBreak },
  { label: 'Undo', keys: ['Mod-z'], run: always(undoOwn) },
  { label: 'Redo', keys: ['Mod-Shift-z', 'Mod-y'], run: always(redoOwn) },
  { label: 'Paste without formatting', keys: ['Mod-Shift-v'] },
].map((row) => ({ ...row, group: 'Text' }))

const headings: readonly Shortcut[] = ([1, 2, 3, 4, 5, 6] as const).map((level) => ({
  group: 'Blocks',
  label: `Heading ${level}`,
  keys: level <= 3 ? [`Mod-Alt-${level}`, `Mod-Shift-${level}`] : [`Mod-Alt-${level}`],
  run: change(convert(`heading-${level}`)),
}))

const blocks: readonly Shortcut[] = [
  {
    group: 'Blocks',
    label: 'Text',
    keys: ['Mod-Alt-0', 'Mod-Shift-0'],
    run: change(convert('text')),
  },
  ...headings,
  ...[
    { label: 'Numbered list', keys: ['Mod-Shift-7'], run: change(toggle('ordered')) },
    { label: 'Bulleted list', keys: ['Mod-Shift-8'], run: change(toggle('bullet')) },
    { label: 'Task list', keys: ['Mod-Shift-9'], run: change(toggle('task')) },
    { label: 'Quote', keys: ['Mod-Shift-.'], run: change(toggle('quote')) },
    { label: 'Code block', keys: ['Mod-Alt-c'], run: change(toggle('code')) },
    {
      label: 'Check a task, exit code block',
      keys: ['Mod-Enter'],
      run: change(chainCommands(toggleChecked, exitCode)),
    },
  ].map((row): Shortcut => ({ ...row, group: 'Blocks' })),
]

const arrange: readonly Shortcut[] = [
  {
    label: 'Indent item, next cell',
    keys: ['Tab', 'Mod-]'],
    run: chainCommands(indentCode(1), nestItems),
  },
  {
    label: 'Outdent item, previous cell',
    keys: ['Shift-Tab', 'Mod-['],
    run: chainCommands(indentCode(-1), unnestItems),
  },
  {
    label: 'Move up',
    keys: ['Alt-ArrowUp', 'Alt-Shift-ArrowUp'],
    run: moveUnits(-1),
    said: 'Moved up',
  },
  {
    label: 'Move down',
    keys: ['Alt-ArrowDown', 'Alt-Shift-ArrowDown'],
    run: moveUnits(1),
    said: 'Moved down',
  },
  { label: 'Duplicate', keys: ['Mod-d'], run: duplicateUnits, said: 'Duplicated' },
  { label: 'Delete block', keys: ['Mod-Shift-Backspace'], run: deleteUnits, said: 'Deleted' },
].map((row) => ({ ...row, run: asUndoStep(row.run), group: 'Arrange' }))

/** As Google Docs has the first three. */
const suggestions = [
  { label: 'Edit', key: 'Mod-Alt-Shift-z', action: 'mode-editing' },
  { label: 'Suggest', key: 'Mod-Alt-Shift-x', action: 'mode-suggesting' },
  { label: 'View', key: 'Mod-Alt-Shift-c', action: 'mode-viewing' },
  { label: 'Next suggestion', key: 'Mod-Alt-u', action: 'next-suggestion' },
  { label: 'Previous suggestion', key: 'Mod-Alt-Shift-u', action: 'previous-suggestion' },
  { label: 'Accept suggestion', key: 'Mod-Alt-Enter', action: 'accept-suggestion' },
  { label: 'Reject suggestion', key: 'Mod-Alt-Shift-Enter', action: 'reject-suggestion' },
] as const

/** The command, and what is said of it. */
function spoken({ run, said, ...row }: Shortcut, actions: PageActions): Shortcut {
  if (run === undefined || said === undefined) return run === undefined ? row : { ...row, run }
  const speaking: Command = (state, dispatch, view) => {
    const isDone = run(state, dispatch, view)
    if (view !== undefined && view.state.doc !== state.doc) actions.announce(said)
    return isDone
  }
  return { ...row, run: speaking }
}

/** The table, with what its keys open. */
export function shortcutsWith(actions: PageActions): readonly Shortcut[] {
  const open =
    (action: PageAction): Command =>
    (_state, dispatch) =>
      dispatch === undefined || actions.run(action)
  return [
    ...text.slice(0, 4),
    { group: 'Text', label: 'Link', keys: ['Mod-k'], run: open('link') },
    ...text.slice(4),
    ...blocks.map((row) => spoken({ ...row, said: row.label }, actions)),
    ...arrange.map((row) => spoken(row, actions)),
    { group: 'Arrange', label: 'Block menu', keys: ['Mod-.'], run: open('block-menu') },
    ...suggestions.map(
      ({ label, key, action }): Shortcut => ({
        group: 'Suggestions',
        label,
        keys: [key],
        run: open(action),
        isEverywhere: true,
      }),
    ),
    ...[
      { label: 'Find', keys: ['Mod-f'], run: open('find') },
      { label: 'Find and replace', keys: ['Mod-h'], run: open('replace') },
      { label: 'Go to the toolbar', keys: ['Alt-F10'], run: open('toolbar') },
      { label: 'Go to the next part of the page', keys: ['F6'], run: open('landmark') },
      {
        label: 'Go to the previous part of the page',
        keys: ['Shift-F6'],
        run: open('landmark-back'),
      },
      { label: 'Comment', keys: ['Mod-Alt-m'], run: open('comment') },
      { label: 'Next comment', keys: ['Mod-F8'], run: open('next-thread') },
      { label: 'Previous comment', keys: ['Mod-Shift-F8'], run: open('previous-thread') },
      { label: 'Version history', keys: ['Mod-Alt-Shift-h'], run: open('history') },
      { label: 'Next change since your last visit', keys: ['F8'], run: open('next-change') },
      {
        label: 'Previous change since your last visit',
        keys: ['Shift-F8'],
        run: open('previous-change'),
      },
      { label: 'Keyboard shortcuts', keys: ['Mod-/', '?'], run: open('shortcuts') },
    ].map((row): Shortcut => ({ ...row, group: 'Page', isEverywhere: true })),
  ]
}
