/**
 * Renaming a document from home: its title is its first line, so that line is edited, or a heading
 * is put above a text that begins with something else.
 */
import { frontMatterIn } from '../../schema/markdown/front-matter.ts'
import { editDocument, readMarkdown } from '../api/documents.ts'

/** A heading or words, nothing that a list, a quote, a table, code or HTML begins with. */
const titleLine = /^(#{1,6}[ \t]+)?[^\s#>|`~*+<!$\d-]/

export async function renameDocument(slug: string, title: string): Promise<void> {
  const { markdown, revision } = await readMarkdown(slug)
  const from = beginOf(markdown)
  const end = markdown.indexOf('\n', from)
  const line = markdown.slice(from, end < 0 ? markdown.length : end)
  const [, marker = ''] = titleLine.exec(line) ?? []
  const edit = titleLine.test(line)
    ? { old_string: line, at: from, new_string: marker + title }
    : { after: null, new_string: `# ${title}\n\n` }
  await editDocument(slug, [edit], revision)
}

/** Where the first line with something on it begins, behind front matter. */
function beginOf(markdown: string): number {
  const begin = frontMatterIn(markdown)?.length ?? 0
  const blank = /^\s*\n/.exec(markdown.slice(begin))?.[0].length ?? 0
  return begin + blank
}
