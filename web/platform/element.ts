/** Elements of what is drawn without React, made in one line. */

type Children = readonly (globalThis.Node | string)[]

/** An element of a class with children; text is text, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...children: Children
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.append(...children)
  return made
}
