/** A state as a document is opened with after it was created of these blocks. */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import {
  creditNodes,
  type FirstContent,
  writeContent,
} from '../core/documents/model/first-content.ts'
import type { DocumentState } from '../core/documents/state/document-state.ts'
import { decodeSnapshot } from '../core/yjs/snapshot.ts'
import { type ActorId, newBlockId } from '../schema/ids.ts'
import type { Runtime } from '../schema/runtime.ts'

/** Answers what was credited, which must be read now, and the snapshot it was loaded from. */
export async function fillState(
  state: DocumentState,
  { nodes, author, runtime }: { nodes: readonly Node[]; author: ActorId; runtime: Runtime },
): Promise<FirstContent & { readonly nodes: readonly Node[] }> {
  const credited = creditNodes(nodes, { author, newId: () => newBlockId(runtime) })
  const written = writeContent(credited, state.nextOf(author).client)
  const slices = decodeSnapshot(written.snapshot)
  const writes = slices.map((slice) => (ydoc: Y.Doc) => Y.applyUpdateV2(ydoc, slice))
  state.load(writes)
  return { nodes: credited, ...written }
}
