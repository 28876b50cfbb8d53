/**
 * The plugins that keep the editor's document and the shared one in step, in the order in which
 * they answer a change. All of it works without a page.
 */
import type { Plugin } from 'prosemirror-state'
import { type Binding, bindingPlugin, type Permitted } from './binding/binding.ts'
import { layerPlugin } from './binding/layer.ts'
import { pendingPlaces } from './binding/pending-places.ts'
import { undoPlugin } from './binding/undo.ts'
import { authoredStamps } from './own-changes/authored.ts'
import { blockIds } from './own-changes/block-ids.ts'
import { leafMarks } from './own-changes/leaf-marks.ts'
import { tables } from './own-changes/tables.ts'

export interface Writer extends Permitted {
  /** An actor id, or `undefined` while nobody has said who. */
  author(): string | undefined
}

export function sharedTextPlugins(binding: Binding, writer: Writer): Plugin[] {
  const { author } = writer
  return [
    pendingPlaces(),
    layerPlugin(() => writer.writesLayer?.() ?? false),
    bindingPlugin(binding, writer),
    undoPlugin(binding),
    leafMarks(),
    tables(),
    blockIds(),
    authoredStamps(author),
  ]
}
