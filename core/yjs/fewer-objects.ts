/**
 * What Yjs keeps for each item and each type, of which an open document has thousands, in fewer
 * objects: V8 marks every one of them whenever it collects.
 */
import * as Y from 'yjs'
import { childrenOf } from '../../schema/yjs/children.ts'
import type { SharedType } from '../../schema/yjs/items.ts'

/**
 * V8 keeps a field that once held a number beyond 31 bits, as most clients are, in an object of its
 * own for each holder; one that also held something else, it does not.
 */
export const unboxed = new Y.ID(undefined as unknown as number, 0)

/** In place of two lists of listeners to each type. Frozen: whoever would listen is told. */
const nobody = Object.freeze({ l: Object.freeze([]) })

/** Of an element to which, and to whose texts, nobody will listen. */
export function shareListeners(element: Y.XmlElement): void {
  const types: readonly SharedType[] = [element, ...childrenOf(element)]
  for (const type of types) Object.assign(type, { _eH: nobody, _dEH: nobody })
}
