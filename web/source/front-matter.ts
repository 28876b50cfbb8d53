/**
 * Front matter for CodeMirror's markdown, which takes it for a rule and a heading. Canonical
 * markdown begins with `---` for nothing else.
 */
import type { markdown } from '@codemirror/lang-markdown'
import { tags } from '@lezer/highlight'

type Extensions = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>

const fence = /^---[ \t]*$/

export const frontMatter: Extensions = {
  defineNodes: [{ name: 'FrontMatter', block: true, style: tags.meta }],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || !fence.test(line.text)) return false
        let end = line.text.length
        while (context.nextLine()) {
          end = context.lineStart + line.text.length
          if (!fence.test(line.text)) continue
          context.nextLine()
          break
        }
        context.addElement(context.elt('FrontMatter', 0, end))
        return true
      },
    },
  ],
}
