/** Blocks as the page draws them that are not of its text: nobody writes in them. */
import { DOMSerializer, Fragment, type Node } from 'prosemirror-model'
import { documentSchema } from '../../../schema/document-schema.ts'

/** Pictures by their words: nothing is loaded for what is not there. */
const serializer = new DOMSerializer(
  {
    ...DOMSerializer.nodesFromSchema(documentSchema),
    image: ({ attrs }) => ['span', `[${attrs['alt'] || 'image'}]`],
  },
  DOMSerializer.marksFromSchema(documentSchema),
)

export const drawnBlocks = (blocks: Fragment | readonly Node[]): HTMLElement | DocumentFragment =>
  serializer.serializeFragment(Fragment.from(blocks))
