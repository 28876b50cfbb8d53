/** The nodes that the page draws by a view of its own; all others stand as the schema says. */
import type { NodeViewConstructor } from 'prosemirror-view'
import { ImageSizes } from '../../platform/image-sizes.ts'
import { createStore, type Readable } from '../../platform/store.ts'
import { codeBlockViews } from './code-block.ts'
import { definitionView } from './definition.ts'
import { FrontMatterView } from './front-matter.ts'
import { ImageView } from './image.ts'
import { imagesElsewhere } from './images-elsewhere.ts'
import { plainNodeViews } from './plain.ts'
import { TableView } from './table.ts'
import { listItemView } from './task-item.ts'

/** `isEditable`: whether the text takes what is typed. */
export function nodeViewsFor(
  slug: string,
  isEditable: Readable<boolean> = createStore(false),
): Record<string, NodeViewConstructor> {
  const images = { elsewhere: imagesElsewhere(slug), sizes: new ImageSizes(), isEditable }
  return {
    ...plainNodeViews,
    list_item: listItemView,
    code_block: codeBlockViews(),
    front_matter: (node, view) => new FrontMatterView(node, view),
    link_definition: definitionView,
    table: (node) => new TableView(node),
    image: (node) => new ImageView(node, images),
  }
}
