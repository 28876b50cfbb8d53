/** The nodes that the page draws by a view of its own; all others stand as the schema says. */
import type { NodeViewConstructor } from 'prosemirror-view'
import { listItemView } from './task-item.ts'

export const nodeViews: Readonly<Record<string, NodeViewConstructor>> = {
  list_item: listItemView,
}
