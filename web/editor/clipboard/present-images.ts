/**
 * What is copied carries the present addresses of the service's own images, of those that this
 * browser has shown: other programs cannot know where they are by now.
 */
import { type Fragment, Slice } from 'prosemirror-model'
import { base } from '../../api/base.ts'
import { ImageSizes } from '../../platform/image-sizes.ts'
import { nodes } from '../model/nodes.ts'
import { imageAddress } from '../node-views/image-address.ts'

export function withPresentImages(slice: Slice): Slice {
  const sizes = new ImageSizes()
  const presentOf = (src: string): string | undefined => {
    const found = imageAddress(src, location.href, base)
    const isShown = found.kind === 'own' && sizes.of(found.address.href) !== undefined
    return isShown ? found.address.href : undefined
  }
  const content = presentIn(slice.content, presentOf)
  return content === slice.content ? slice : new Slice(content, slice.openStart, slice.openEnd)
}

/** The same fragment where nothing in it has another address. */
function presentIn(content: Fragment, presentOf: (src: string) => string | undefined): Fragment {
  let next = content
  content.forEach((node, _, index) => {
    if (node.type === nodes.image) {
      const { src } = node.attrs
      const present = presentOf(String(src))
      if (present === undefined || present === src) return
      const image = node.type.create({ ...node.attrs, src: present }, null, node.marks)
      next = next.replaceChild(index, image)
    } else if (!node.isLeaf) {
      const inner = presentIn(node.content, presentOf)
      if (inner !== node.content) next = next.replaceChild(index, node.copy(inner))
    }
  })
  return next
}
