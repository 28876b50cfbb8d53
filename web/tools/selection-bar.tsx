/**
 * The toolbar over a selection of text. The text keeps the focus until a person goes to the bar
 * (Alt-F10); Escape goes back. What is written beside the text, as comments, has its place at the
 * end of the bar.
 */
import { ChevronDown, MessageSquarePlus } from 'lucide-react'
import type { EditorView } from 'prosemirror-view'
import { DropdownMenu, Toolbar } from 'radix-ui'
import { useEffect, useMemo, useRef } from 'react'
import { ariaKey, keyName } from '../platform/key-names.ts'
import { useStore } from '../platform/store.ts'
import { backToText } from '../platform/writers-place.ts'
import { Float } from './float.tsx'
import { FormatButtons } from './format-buttons.tsx'
import { KindItems, kindLabel } from './kind-menu.tsx'
import { usePortalContainer } from './portal-container.ts'
import type { SelectionLook } from './selection-toolbar.ts'
import { textAnchor } from './text-anchor.ts'
import type { Tools } from './tools.ts'

interface SelectionBarProps {
  readonly view: EditorView
  readonly tools: Tools
}

export function SelectionBar({ view, tools }: SelectionBarProps) {
  const look = useStore(tools.selection.state)
  return look === undefined ? null : <Bar view={view} tools={tools} look={look} />
}

function Bar({ view, tools, look }: SelectionBarProps & { readonly look: SelectionLook }) {
  const bar = useRef<HTMLDivElement>(null)
  const anchor = useMemo(() => textAnchor(view, look.from, look.to), [view, look.from, look.to])
  useEffect(
    () => tools.actions.handle('toolbar', () => bar.current?.querySelector('button')?.focus()),
    [tools],
  )
  return (
    <Float anchor={anchor} placement="top-start" gap={8} className="toolbar-float">
      <Toolbar.Root
        ref={bar}
        className="toolbar"
        aria-label="Formatting"
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') view.focus()
        }}
      >
        {look.isEditable ? (
          <>
            {look.isCells ? null : (
              <>
                <KindButton view={view} look={look} />
                <Toolbar.Separator className="toolbar-rule" />
              </>
            )}
            <FormatButtons
              view={view}
              actions={tools.actions}
              marks={look.marks}
              isLinkable={!look.isCells}
            />
            <Toolbar.Separator className="toolbar-rule" />
          </>
        ) : null}
        <Toolbar.Button
          className="button toolbar-comment"
          aria-keyshortcuts={ariaKey('Mod-Alt-m')}
          title={`Comment (${keyName('Mod-Alt-m')})`}
          onClick={() => tools.actions.run('comment')}
        >
          <MessageSquarePlus aria-hidden />
          Comment
        </Toolbar.Button>
      </Toolbar.Root>
    </Float>
  )
}

function KindButton({ view, look }: { readonly view: EditorView; readonly look: SelectionLook }) {
  const container = usePortalContainer()
  return (
    <DropdownMenu.Root modal={false}>
      <Toolbar.Button asChild>
        <DropdownMenu.Trigger className="button toolbar-kind" title="Turn into">
          <span className="visually-hidden">Turn into: currently </span>
          {kindLabel(look.kind)}
          <ChevronDown aria-hidden />
        </DropdownMenu.Trigger>
      </Toolbar.Button>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          className="menu float"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={backToText(view)}
        >
          <KindItems view={view} current={look.kind} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
