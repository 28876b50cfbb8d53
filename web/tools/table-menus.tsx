/** The menus of the row and the column that a person is at, on the table's edges. */
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  Ellipsis,
  Grid2x2X,
  Trash2,
} from 'lucide-react'
import { type Command, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import {
  type Alignment,
  addColumn,
  addRow,
  alignColumns,
  columnAlignment,
  deleteColumns,
  deleteRows,
  deleteTable,
  moveColumns,
  moveRows,
  tableAround,
} from '../editor/commands/tables.ts'
import { useSelected } from '../platform/store.ts'
import { backToText } from '../platform/writers-place.ts'
import { perform } from './perform.ts'
import { usePortalContainer } from './portal-container.ts'
import { useRowDrag } from './row-drag.tsx'
import type { Tools } from './tools.ts'
import { useSpot } from './use-spot.ts'

interface TableMenusProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function TableMenus({ view, tools }: TableMenusProps) {
  const cell = useSelected(tools.active.state, ({ cell }) => cell)
  if (cell === undefined) return null
  return (
    <>
      <EdgeMenu view={view} tools={tools} cell={cell} edge="column" />
      <EdgeMenu view={view} tools={tools} cell={cell} edge="row" />
    </>
  )
}

interface EdgeMenuProps extends TableMenusProps {
  readonly cell: HTMLElement
  readonly edge: 'row' | 'column'
}

/** The middle of the cell's side, on the edge of its table. */
function spotOf(cell: HTMLElement, edge: 'row' | 'column') {
  const table = cell.closest('table')
  if (table === null) return undefined
  const frame = (table.parentElement ?? table).getBoundingClientRect()
  const [own, whole] = [cell.getBoundingClientRect(), table.getBoundingClientRect()]
  const left = edge === 'row' ? Math.max(whole.left, frame.left) : own.left + own.width / 2
  if (edge === 'column' && (left < frame.left || left > frame.right)) return undefined
  return { left, top: edge === 'row' ? own.top + own.height / 2 : whole.top }
}

function EdgeMenu({ view, tools, cell, edge }: EdgeMenuProps) {
  const container = usePortalContainer()
  const button = useRef<HTMLButtonElement>(null)
  const find = useCallback(() => spotOf(cell, edge), [cell, edge])
  useSpot(button, { anchor: cell, find })
  useEffect(() => {
    if (edge === 'row') return undefined
    return tools.actions.handle('toolbar', () => button.current?.focus())
  }, [tools, edge])
  const [isOpen, setOpen] = useState(false)
  const open = (next: boolean) => {
    if (next) goTo(view, cell)
    setOpen(next)
  }
  const take = () => goTo(view, cell)
  const drag = useRowDrag({ view, cell, take, onPress: () => open(!isOpen) })
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={open}>
      {drag.line}
      <DropdownMenu.Trigger
        ref={button}
        {...(edge === 'row' && drag.handlers)}
        className={`edge-menu edge-menu-${edge}`}
        aria-label={edge === 'row' ? 'Row menu' : 'Column menu'}
        onKeyDown={(event) => {
          if (event.key === 'Escape') view.focus()
        }}
      >
        <Ellipsis aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          className="menu float"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={backToText(view)}
        >
          {edge === 'row' ? <RowItems view={view} /> : <ColumnItems view={view} />}
          <DropdownMenu.Separator className="menu-rule" />
          <Item view={view} icon={<Grid2x2X aria-hidden />} command={deleteTable}>
            Delete table
          </Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** The caret goes into the cell, unless that is within what is selected. */
function goTo(view: EditorView, element: HTMLElement): void {
  const { state } = view
  const cell = view.posAtDOM(element, 0) - 1
  const { from, to } = state.selection
  const size = state.doc.nodeAt(cell)?.nodeSize ?? 0
  const isThere = tableAround(state) !== undefined && from < cell + size && to > cell
  if (isThere) return
  const inside = TextSelection.near(state.doc.resolve(cell + 1))
  view.dispatch(state.tr.setSelection(inside))
}

interface ItemProps {
  readonly view: EditorView
  readonly icon: ReactNode
  readonly command: Command
  readonly children: ReactNode
}

function Item({ view, icon, command, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      className="menu-item"
      disabled={!command(view.state)}
      onSelect={() => perform(view, command)}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  )
}

function RowItems({ view }: { readonly view: EditorView }) {
  return (
    <>
      <Item view={view} icon={<ArrowUp aria-hidden />} command={addRow('above')}>
        Insert above
      </Item>
      <Item view={view} icon={<ArrowDown aria-hidden />} command={addRow('below')}>
        Insert below
      </Item>
      <Item view={view} icon={<ChevronUp aria-hidden />} command={moveRows(-1)}>
        Move up
      </Item>
      <Item view={view} icon={<ChevronDown aria-hidden />} command={moveRows(1)}>
        Move down
      </Item>
      <Item view={view} icon={<Trash2 aria-hidden />} command={deleteRows}>
        Delete row
      </Item>
    </>
  )
}

const alignments: readonly (readonly [Exclude<Alignment, null>, string, ReactNode])[] = [
  ['left', 'Align left', <AlignLeft key="left" aria-hidden />],
  ['center', 'Align center', <AlignCenter key="center" aria-hidden />],
  ['right', 'Align right', <AlignRight key="right" aria-hidden />],
]

function ColumnItems({ view }: { readonly view: EditorView }) {
  const current = columnAlignment(view.state) ?? null
  return (
    <>
      <Item view={view} icon={<ArrowLeft aria-hidden />} command={addColumn('before')}>
        Insert before
      </Item>
      <Item view={view} icon={<ArrowRight aria-hidden />} command={addColumn('after')}>
        Insert after
      </Item>
      <Item view={view} icon={<ChevronLeft aria-hidden />} command={moveColumns(-1)}>
        Move left
      </Item>
      <Item view={view} icon={<ChevronRight aria-hidden />} command={moveColumns(1)}>
        Move right
      </Item>
      <DropdownMenu.Separator className="menu-rule" />
      <DropdownMenu.RadioGroup value={current ?? ''} aria-label="Alignment">
        {alignments.map(([align, label, icon]) => (
          <DropdownMenu.RadioItem
            key={align}
            value={align}
            className="menu-item"
            onSelect={() => perform(view, alignColumns(current === align ? null : align))}
          >
            {icon}
            {label}
            <DropdownMenu.ItemIndicator className="menu-check" aria-hidden>
              ✓
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator className="menu-rule" />
      <Item view={view} icon={<Trash2 aria-hidden />} command={deleteColumns}>
        Delete column
      </Item>
    </>
  )
}
