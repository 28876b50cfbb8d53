/** The grip and the plus in the gutter beside a block, the block's menu, and the line of a drop. */
import {
  ArrowDown,
  ArrowUp,
  Copy,
  GripVertical,
  Hash,
  Link,
  MessageSquarePlus,
  Plus,
  Replace,
  Trash2,
} from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { DropdownMenu } from 'radix-ui'
import { useCallback, useLayoutEffect, useRef } from 'react'
import { moveUnits } from '../editor/commands/moving.ts'
import { isConvertible, selectedKind } from '../editor/commands/selected-blocks.ts'
import {
  deleteUnits,
  duplicateUnits,
  insertBelow,
  selectedBlockId,
} from '../editor/commands/units.ts'
import { copyBlockLink } from '../outline/block-links.ts'
import { copyText } from '../platform/clipboard.ts'
import { keyName } from '../platform/key-names.ts'
import { notify } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { backToText } from '../platform/writers-place.ts'
import type { BlockHandle, HandleState } from './block-handle.ts'
import { KindItems } from './kind-menu.tsx'
import { perform } from './perform.ts'
import { usePortalContainer } from './portal-container.ts'
import type { Tools } from './tools.ts'
import { columnOf, firstLine } from './units-on-page.ts'
import { useSpot } from './use-spot.ts'

interface HandleProps {
  readonly slug: string
  readonly view: EditorView
  readonly tools: Tools
}

export function Handle({ slug, view, tools }: HandleProps) {
  const state = useStore(tools.handle.state)
  return (
    <>
      {state === undefined ? null : <Buttons slug={slug} view={view} tools={tools} state={state} />}
      <DropLine view={view} tools={tools} />
    </>
  )
}

const handleWidth = 46

/** Beside the first line of the block; not there where the gutter has no room. */
function useSpotOf(view: EditorView, handle: BlockHandle, { element, isOpen }: HandleState) {
  const box = useRef<HTMLDivElement>(null)
  const find = useCallback(
    (own: HTMLElement) => {
      const pos = handle.pos(view)
      const line = pos === undefined ? undefined : firstLine(view, pos)
      const { left } = columnOf(view)
      const hasRoom = left >= handleWidth + 8
      if (line === undefined || !(hasRoom || isOpen)) return undefined
      own.classList.toggle('is-narrow', !hasRoom)
      const top = line.top + (line.height - own.offsetHeight) / 2
      return { left: left - (hasRoom ? handleWidth + 4 : handleWidth / 2), top }
    },
    [view, handle, isOpen],
  )
  useSpot(box, { anchor: element, find })
  return box
}

function Buttons({ slug, view, tools, state }: HandleProps & { readonly state: HandleState }) {
  const { handle } = tools
  const box = useSpotOf(view, handle, state)
  const add = () => {
    perform(view, insertBelow(handle.pos(view)))
    tools.slash.openAt(view)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the mouse went
    <div
      ref={box}
      className="handle"
      onMouseLeave={(event) => handle.leave(view, event.relatedTarget)}
    >
      <button
        type="button"
        className="handle-button"
        tabIndex={-1}
        aria-label="Add block below"
        title="Add block below"
        onMouseDown={(event) => event.preventDefault()}
        onClick={add}
      >
        <Plus aria-hidden />
      </button>
      <BlockMenu slug={slug} view={view} tools={tools} state={state} />
      <button
        type="button"
        className="handle-button handle-grip"
        tabIndex={-1}
        draggable
        aria-label="Block menu"
        aria-haspopup="menu"
        aria-expanded={state.isOpen}
        title={`Drag to move, click for options (${keyName('Mod-.')})`}
        onClick={() => handle.open(view)}
        onDragStart={(event) => handle.startDrag(view, event.dataTransfer)}
        onDragEnd={() => handle.endDrag(view)}
      >
        <GripVertical aria-hidden />
      </button>
    </div>
  )
}

/** The grip beside it is the button, since a trigger that opens on press cannot be dragged. */
const anchorOnly = {
  'aria-haspopup': undefined,
  'aria-expanded': undefined,
  'aria-controls': undefined,
}

function BlockMenu({ slug, view, tools, state }: HandleProps & { readonly state: HandleState }) {
  const container = usePortalContainer()
  return (
    <DropdownMenu.Root
      modal={false}
      open={state.isOpen}
      onOpenChange={(isOpen) => {
        if (!isOpen) tools.handle.close(view)
      }}
    >
      <DropdownMenu.Trigger asChild>
        <span className="handle-anchor" {...anchorOnly} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          className="menu float"
          align="start"
          side="bottom"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Block"
          onCloseAutoFocus={backToText(view)}
        >
          <BlockItems slug={slug} view={view} tools={tools} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function BlockItems({ slug, view, tools }: HandleProps) {
  const item = (label: string, icon: React.ReactNode, act: () => void, keys?: string) => (
    <DropdownMenu.Item className="menu-item" onSelect={act}>
      {icon}
      {label}
      {keys === undefined ? null : <span className="kbd">{keyName(keys)}</span>}
    </DropdownMenu.Item>
  )
  const withId = (act: (id: string) => Promise<void>) => () => {
    const id = selectedBlockId(view.state)
    if (id === undefined) notify('This block has no ID yet. Try again in a moment.')
    else void act(id)
  }
  const copyId = withId(async (id) => {
    await copyText(id)
    notify('Block ID copied. Agents can refer to this block by it.')
  })
  const copyLink = withId((id) => copyBlockLink(slug, id))
  const add = () => {
    perform(view, insertBelow())
    tools.slash.openAt(view)
  }
  return (
    <>
      {isConvertible(view.state) ? <TurnInto view={view} /> : null}
      {item('Add block below', <Plus aria-hidden />, add)}
      {item('Comment', <MessageSquarePlus aria-hidden />, () => tools.actions.run('comment'))}
      {item('Duplicate', <Copy aria-hidden />, () => perform(view, duplicateUnits), 'Mod-d')}
      {item('Move up', <ArrowUp aria-hidden />, () => perform(view, moveUnits(-1)), 'Alt-ArrowUp')}
      {item(
        'Move down',
        <ArrowDown aria-hidden />,
        () => perform(view, moveUnits(1)),
        'Alt-ArrowDown',
      )}
      {item('Copy link to this block', <Link aria-hidden />, copyLink)}
      {item('Copy block ID', <Hash aria-hidden />, copyId)}
      <DropdownMenu.Separator className="menu-rule" />
      {item(
        'Delete',
        <Trash2 aria-hidden />,
        () => perform(view, deleteUnits),
        'Mod-Shift-Backspace',
      )}
    </>
  )
}

function TurnInto({ view }: { readonly view: EditorView }) {
  const container = usePortalContainer()
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="menu-item">
        <Replace aria-hidden />
        Turn into
        <span className="menu-more" aria-hidden>
          ›
        </span>
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.SubContent className="menu float" sideOffset={4} collisionPadding={8}>
          <KindItems view={view} current={selectedKind(view.state)} />
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  )
}

function DropLine({ view, tools }: Omit<HandleProps, 'slug'>) {
  const drop = useStore(tools.handle.drop)
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = line.current
    if (element === null || drop === undefined) return
    const origin = element.offsetParent?.getBoundingClientRect() ?? new DOMRect()
    element.style.left = `${drop.line.left - origin.left}px`
    element.style.top = `${drop.line.top - origin.top - 1}px`
    element.style.width = `${drop.line.width}px`
  }, [drop])
  return drop === undefined || view.isDestroyed ? null : <div ref={line} className="drop-line" />
}
