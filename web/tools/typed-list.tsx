/**
 * A menu that is opened by a sign in the text, as it is seen: a list box that the text controls.
 * The caret stays in the text, and the text names the option that the keys are on.
 */
import type { EditorView } from 'prosemirror-view'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useStore } from '../platform/store.ts'
import type { EmojiMenu } from './emoji-menu.ts'
import { Float } from './float.tsx'
import { KindIcon } from './kind-icon.tsx'
import type { SlashMenu } from './slash-menu.ts'
import { textAnchor } from './text-anchor.ts'
import type { TypedMenu, TypedMenuState } from './typed-menu.ts'

interface TypedListProps<Item> {
  readonly view: EditorView
  readonly menu: TypedMenu<Item>
  readonly label: string
  /** Said when there are no items; without it there is no list then. */
  readonly nothing?: string
  readonly draw: (item: Item) => { readonly key: string; readonly content: ReactNode }
}

export const SlashList = ({ view, menu }: { view: EditorView; menu: SlashMenu }) => (
  <TypedList
    view={view}
    menu={menu}
    label="Blocks"
    nothing="No matching blocks"
    draw={({ name, label, typed }) => ({
      key: name,
      content: (
        <>
          <KindIcon name={name} />
          {label}
          <span className="kbd" aria-hidden>
            {typed}
          </span>
        </>
      ),
    })}
  />
)

export const EmojiList = ({ view, menu }: { view: EditorView; menu: EmojiMenu }) => (
  <TypedList
    view={view}
    menu={menu}
    label="Emoji"
    draw={({ emoji, name }) => ({
      key: name,
      content: (
        <>
          <span aria-hidden>{emoji}</span>
          {name.replaceAll('_', ' ')}
        </>
      ),
    })}
  />
)

function TypedList<Item>(props: TypedListProps<Item>) {
  const open = useStore(props.menu.state)
  const isSeen = open !== undefined && (open.items.length > 0 || props.nothing !== undefined)
  return isSeen ? <OpenList {...props} open={open} /> : null
}

function OpenList<Item>(props: TypedListProps<Item> & { readonly open: TypedMenuState<Item> }) {
  const { view, menu, open, label, nothing, draw } = props
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
        id={menu.listId}
        aria-label={label}
        ref={list}
      >
        {items.map((item, index) => {
          const { key, content } = draw(item)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are answered in the text
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text
            <div
              key={key}
              id={menu.optionId(index)}
              role="option"
              aria-selected={index === selected}
              className="menu-item"
              onClick={() => menu.choose(view, item)}
            >
              {content}
            </div>
          )
        })}
      </div>
      {items.length === 0 ? (
        <p className="menu-nothing" role="status">
          {nothing}
        </p>
      ) : null}
    </Float>
  )
}
