/**
 * How the editor reads its own DOM after the browser changed it, where it does not know by itself
 * what an element stands for: text under composition stays in the element it began in, also when
 * the document has come to hold it in parts. Without these rules such an element's words would read
 * as plain and anybody's, and be written anew as the typist's.
 */
import { DOMParser } from 'prosemirror-model'
import { documentSchema } from '../../schema/document-schema.ts'
import { formatRules } from './clipboard/dom-rules.ts'

export const domParser = new DOMParser(documentSchema, [
  ...formatRules,
  {
    tag: 'span[data-by]',
    mark: 'authored',
    getAttrs: (element) => ({ by: element.getAttribute('data-by') }),
  },
])
