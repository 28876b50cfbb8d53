/** Documents whose blocks have ids by their order in the text: b0, b1 and so on. */
import { Fragment, type Node } from 'prosemirror-model'
import { identifiedTypes } from '../../../schema/document-schema.ts'

export function withIds(doc: Node): Node {
  let count = 0
  const numbered = (node: Node): Node => {
    if (node.isText) return node
    const attrs = identifiedTypes.has(node.type.name)
      ? { ...node.attrs, id: `b${count++}` }
      : node.attrs
    const children: Node[] = []
    node.forEach((child) => {
      children.push(numbered(child))
    })
    return node.type.create(attrs, Fragment.from(children), node.marks)
  }
  return numbered(doc)
}
