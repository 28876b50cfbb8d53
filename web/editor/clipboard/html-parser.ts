/**
 * The parser of HTML from the clipboard: our own HTML is read as it stands, other programs' is
 * cleaned first. What cleans it comes after the page: what is dropped before that is read as it is.
 */
import { DOMParser, type ParseOptions, type Slice } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'
import { foreignParser, ownParser } from './dom-rules.ts'

export class HtmlParser extends DOMParser {
  readonly #clean: (root: HTMLElement) => void

  constructor(clean: (root: HTMLElement) => void) {
    super(documentSchema, [])
    this.#clean = clean
  }

  override parseSlice(dom: globalThis.Node, options?: ParseOptions): Slice {
    if (!(dom instanceof HTMLElement)) return ownParser.parseSlice(dom, options)
    const isOwn = dom.matches('[data-pm-slice]') || dom.querySelector('[data-pm-slice]') !== null
    if (isOwn) return ownParser.parseSlice(dom, options)
    this.#clean(dom)
    return foreignParser.parseSlice(dom, options)
  }
}
