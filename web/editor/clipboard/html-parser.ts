/**
 * The parser of HTML from the clipboard: our own HTML is read as it stands, other programs' is
 * cleaned first. Loaded with the page: a paste cannot wait.
 */
import { DOMParser, type ParseOptions, type Slice } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'
import { foreignParser, ownParser } from './dom-rules.ts'
import { cleaned } from './foreign-html.ts'

class HtmlParser extends DOMParser {
  override parseSlice(dom: globalThis.Node, options?: ParseOptions): Slice {
    if (!(dom instanceof HTMLElement)) return ownParser.parseSlice(dom, options)
    const isOwn = dom.matches('[data-pm-slice]') || dom.querySelector('[data-pm-slice]') !== null
    if (isOwn) return ownParser.parseSlice(dom, options)
    cleaned(dom)
    return foreignParser.parseSlice(dom, options)
  }
}

export const htmlParser = new HtmlParser(documentSchema, [])
