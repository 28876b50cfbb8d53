/** Elements of a tree that is being cleaned: finding them, giving them another name. */

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
