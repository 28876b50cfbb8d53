/** What an entry of a menu says: its label, with a line under it where there is more to say. */
export interface MenuWordsProps {
  readonly label: string
  readonly more?: string | undefined
}

export const MenuWords = ({ label, more }: MenuWordsProps) =>
  more === undefined ? (
    label
  ) : (
    <span className="menu-told">
      {label}
      <span className="menu-line">{more}</span>
    </span>
  )

/** Of the entry around them. */
export const menuItemClass = (more: string | undefined): string =>
  more === undefined ? 'menu-item' : 'menu-item menu-item-told'
