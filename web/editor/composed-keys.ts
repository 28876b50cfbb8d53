/**
 * A key that an input method answers means nothing else in the text: its Enter begins no paragraph
 * and picks nothing from a menu. What Android says of keys whose names it does not know is left to
 * the editor, which reads what they wrote.
 */
import { Plugin } from 'prosemirror-state'
import { isComposing } from '../platform/composing.ts'

const named = /^(?:Enter|Tab|Escape|Arrow\w+|Home|End|PageUp|PageDown)$/

/** Comes before all plugins that act on keys. */
export function composedKeys(): Plugin {
  return new Plugin({
    props: {
      handleKeyDown: (_, event) => isComposing(event) && named.test(event.key),
    },
  })
}
