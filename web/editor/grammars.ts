/** The grammars of the common languages, and what they find in a text. Loaded on first use. */
import { common, createLowlight } from 'lowlight'

export interface Span {
  readonly from: number
  readonly to: number
  /** Class names. */
  readonly names: string
}

export interface Grammars {
  /** The coloured stretches of `code`; none where no grammar knows the language. */
  spans(language: string, code: string): readonly Span[]
  readonly languages: readonly string[]
}

const lowlight = createLowlight(common)

type Found = ReturnType<typeof lowlight.highlight>['children'][number]

export const grammars: Grammars = {
  languages: lowlight.listLanguages(),
  spans(language, code) {
    if (!lowlight.registered(language)) return []
    const spans: Span[] = []
    let at = 0
    const walk = (found: Found, names: readonly string[]) => {
      if (found.type === 'text') {
        const to = at + found.value.length
        if (names.length > 0) spans.push({ from: at, to, names: names.join(' ') })
        at = to
      } else if (found.type === 'element') {
        const own = found.properties['className']
        const classes = Array.isArray(own) ? own.map(String) : []
        for (const child of found.children) walk(child as Found, [...names, ...classes])
      }
    }
    for (const child of lowlight.highlight(language, code).children) walk(child, [])
    return spans
  },
}
