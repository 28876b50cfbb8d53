/**
 * The title of a document (interface §2.2): its first line that says something, behind front
 * matter. Only a heading's marks and the blanks around it are taken off; the rest stays as written.
 * Never stored, never written.
 */
import type { DocumentText } from './document-text.ts'
import { frontMatterIn } from './front-matter.ts'
import { isBreakTag } from './html.ts'

const titleMaxCodePoints = 200

/**
 * '' when the document has no line; a `<br />` spacer is none. Looks no further than it has to, and
 * at no more than `blocksMax` blocks.
 */
export function titleOf(text: DocumentText, blocksMax = text.blockCount): string {
  const blocks = Math.min(text.blockCount, blocksMax)
  for (let index = 0; index < blocks; index++) {
    const { md, blocks: own } = text.printed(index)
    const isHead = own[0]?.type === 'front_matter' && md.startsWith('---')
    const end = md.indexOf('\n')
    const line = (end < 0 ? md : md.slice(0, end)).trim()
    if (isHead || isSilent(line)) continue
    return firstCodePoints(own[0]?.type === 'heading' ? withoutHashes(line) : line)
  }
  return ''
}

/** A line without words, or the one of an empty paragraph. */
const isSilent = (line: string): boolean => line === '' || isBreakTag(line)

const withoutHashes = (line: string): string => {
  const said = line.replace(/^#{1,6}(?:[ \t]+|$)/, '')
  if (said === line) return line
  let end = said.length
  while (said[end - 1] === '#') end -= 1
  const isClosing = end === 0 || ' \t'.includes(said.charAt(end - 1))
  return isClosing ? said.slice(0, end).trimEnd() : said
}

function firstCodePoints(line: string): string {
  if (line.length <= titleMaxCodePoints) return line
  return [...line.slice(0, 2 * titleMaxCodePoints)].slice(0, titleMaxCodePoints).join('')
}

/** The same of a text that is not read into blocks. */
export function titleIn(markdown: string): string {
  let at = frontMatterIn(markdown)?.length ?? 0
  while (at < markdown.length) {
    const next = markdown.indexOf('\n', at)
    const end = next < 0 ? markdown.length : next
    const line = markdown.slice(at, end).trim()
    if (!isSilent(line)) return firstCodePoints(withoutHashes(line))
    at = end + 1
  }
  return ''
}
