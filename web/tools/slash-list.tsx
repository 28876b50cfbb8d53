/**
 * The slash menu as it is seen: a list box that the text controls. The caret stays in the text, and
 * the text names the option that the keys are on.
 */
import type { EditorView } from 'prosemirror-view'
import { useEffect, useMemo, useRef } from 'react'
import { useStore } from '../platform/store.ts'
import { Float } from './float.tsx'
import { KindIcon } from './kind-icon.tsx'
import { type SlashMenu, type SlashState, slashListId, slashOptionId } from './slash-menu.ts'
import { textAnchor } from './text-anchor.ts'

interface SlashListProps {
  readonly view: EditorView
  readonly menu: SlashMenu
}

export function SlashList({ view, menu }: SlashListProps) {
  const open = useStore(menu.state)
  return open === undefined ? null : <OpenList view={view} menu={menu} open={open} />
}

function OpenList({ view, menu, open }: SlashListProps & { readonly open: SlashState }) {
  const { from, items, selected } = open
  const anchor = useMemo(() => textAnchor(view, from), [view, from])
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <Float anchor={anchor} className="menu slash" onMouseDown={(event) => event.preventDefault()}>
      <div
        className="slash-list"
        role="listbox"
        tabIndex={0}
        id={slashListId}
        aria-label="Blocks"
        ref={list}
      >
        {items.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are answered in the text
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text
          <div
            key={item.name}
            id={slashOptionId(index)}
            role="option"
            aria-selected={index === selected}
            className="menu-item"
            onClick={() => menu.choose(view, item)}
          >
            <KindIcon name={item.name} />
            {item.label}
            <span className="kbd" aria-hidden>
              {item.typed}
            </span>
          </div>
        ))}
      </div>
      {items.length === 0 ? (
        <p className="menu-nothing" role="status">
          No block is called that
        </p>
      ) : null}
    </Float>
  )
}
