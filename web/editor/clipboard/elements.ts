/** Elements of a tree that is being cleaned: finding them, what they say, another name for them. */

export const all = (root: HTMLElement, selector: string): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
]

/** An element of another name in its place, with its children and without its attributes. */
export function rename(element: HTMLElement, name: string): HTMLElement {
  const other = element.ownerDocument.createElement(name)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

/** What a `style` attribute says; the tree's own styles are never computed. */
export function styleOf(element: HTMLElement, name: string): string {
  return element.style.getPropertyValue(name).trim().toLowerCase()
}
