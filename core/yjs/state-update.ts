/** What a copy of a document lacks, as one update. */
import * as Y from 'yjs'

/** `known`: by client the next clock that the copy has; empty: it has nothing. */
export const updateBehind = (ydoc: Y.Doc, known: ReadonlyMap<number, number>): Uint8Array =>
  Y.encodeStateAsUpdate(ydoc, Y.encodeStateVector(new Map(known)))
