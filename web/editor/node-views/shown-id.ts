/** Shows a block's id, or that it has none: comments and links find it by that. */
export function showId(dom: HTMLElement, id: unknown): void {
  if (typeof id === 'string') dom.setAttribute('data-id', id)
  else dom.removeAttribute('data-id')
}
