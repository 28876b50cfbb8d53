/** The nodes that the page draws by a view of its own; all others stand as the schema says. */
import type { NodeViewConstructor } from 'prosemirror-view'
import { codeBlockView } from './code-block.ts'
import { FrontMatterView } from './front-matter.ts'
import { ImageView } from './image.ts'
import { imagesElsewhere } from './images-elsewhere.ts'
import { plainNodeViews } from './plain.ts'
import { TableView } from './table.ts'
import { listItemView } from './task-item.ts'

export function nodeViewsFor(slug: string): Record<string, NodeViewConstructor> {
  const elsewhere = imagesElsewhere(slug)
  return {
    ...plainNodeViews,
    list_item: listItemView,
    code_block: codeBlockView,
    front_matter: (node, view) => new FrontMatterView(node, view),
    table: (node) => new TableView(node),
    image: (node) => new ImageView(node, elsewhere),
  }
}
