/**
 * The rules of markdown-it by their names. `Ruler.getRules` gives functions without names, and a
 * function's own name would not do: the page's build shortens it.
 */

/** What `Ruler` of markdown-it 14 keeps its rules in. */
interface RuleNames<T> {
  readonly __rules__?: readonly { readonly name: string; readonly fn: T }[]
}

/** A stock rule, to be wrapped or called by ours. Throws where there is none of this name. */
export function stockRule<T>(ruler: { getRules(chain: string): T[] }, name: string): T {
  const { __rules__: rules } = ruler as RuleNames<T>
  const rule = rules?.find((candidate) => candidate.name === name)
  if (rule === undefined) throw new TypeError(`markdown-it has no rule ${name}`)
  return rule.fn
}
