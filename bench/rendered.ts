/**
 * Whether two markdown texts look the same to a reader, by two programs that others use: markdown-it
 * with HTML, and micromark with GFM. Blanks count as one.
 */
import MarkdownIt from 'markdown-it'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

const markdownIt = new MarkdownIt({ html: true })

const byMicromark = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })

const shown = (html: string): string => html.replace(/\s+/g, ' ').trim()

export function renderedAlike(one: string, other: string): boolean {
  const renderers = [(markdown: string) => markdownIt.render(markdown), byMicromark]
  return one === other || renderers.every((render) => shown(render(one)) === shown(render(other)))
}
