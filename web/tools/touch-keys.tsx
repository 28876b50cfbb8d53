/** The bar above a touch screen's keyboard. The text keeps the focus, so the keyboard stays. */
import {
  ArrowDown,
  ArrowUp,
  Ellipsis,
  ImagePlus,
  Indent,
  KeyboardOff,
  List,
  ListTodo,
  type LucideIcon,
  MessageSquarePlus,
  Outdent,
  Plus,
  Redo2,
  Undo2,
} from 'lucide-react'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { Toolbar } from 'radix-ui'
import { toggle } from '../editor/commands/convert.ts'
import { nestItems, unnestItems } from '../editor/commands/lists.ts'
import { moveUnits } from '../editor/commands/moving.ts'
import { redoOwn, undoOwn } from '../editor/commands/own-undo.ts'
import { useAboveKeyboard } from '../platform/above-keyboard.ts'
import { useStore } from '../platform/store.ts'
import { FormatButtons } from './format-buttons.tsx'
import { perform } from './perform.ts'
import type { Tools } from './tools.ts'
import type { CaretLook } from './touch-bar.ts'

interface TouchKeysProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function TouchKeys({ view, tools }: TouchKeysProps) {
  const look = useStore(tools.touch.state)
  return look === undefined ? null : <Keys view={view} tools={tools} look={look} />
}

function Keys({ view, tools, look }: TouchKeysProps & { readonly look: CaretLook }) {
  const bar = useAboveKeyboard<HTMLDivElement>()
  const { kind, marks } = look
  const key = (label: string, Icon: LucideIcon, act: () => void, isOn?: boolean) => (
    <Toolbar.Button
      className="button button-icon"
      aria-label={label}
      aria-pressed={isOn}
      onClick={act}
    >
      <Icon aria-hidden />
    </Toolbar.Button>
  )
  const does = (command: Command) => () => perform(view, command)
  return (
    <Toolbar.Root
      ref={bar}
      className="toolbar touch-bar"
      aria-label="Editing"
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => event.preventDefault()}
    >
      {key('Add block', Plus, () => tools.slash.openAt(view))}
      {key('Image', ImagePlus, () => tools.actions.run('image'))}
      {key('Comment', MessageSquarePlus, () => tools.actions.run('comment'))}
      {key('Block menu', Ellipsis, () => tools.actions.run('block-menu'))}
      <Toolbar.Separator className="toolbar-rule" />
      <FormatButtons view={view} actions={tools.actions} marks={marks} />
      <Toolbar.Separator className="toolbar-rule" />
      {key('Bulleted list', List, does(toggle('bullet')), kind === 'bullet')}
      {key('Task list', ListTodo, does(toggle('task')), kind === 'task')}
      {key('Outdent', Outdent, does(unnestItems))}
      {key('Indent', Indent, does(nestItems))}
      {key('Move up', ArrowUp, does(moveUnits(-1)))}
      {key('Move down', ArrowDown, does(moveUnits(1)))}
      <Toolbar.Separator className="toolbar-rule" />
      {key('Undo', Undo2, () => undoOwn(view.state, view.dispatch, view))}
      {key('Redo', Redo2, () => redoOwn(view.state, view.dispatch, view))}
      {key('Hide keyboard', KeyboardOff, () => view.dom.blur())}
    </Toolbar.Root>
  )
}
