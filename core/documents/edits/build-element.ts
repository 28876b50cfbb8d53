/**
 * A new Yjs element that reads as a node, in y-prosemirror's shape: all attributes that are not null,
 * neighbouring text as one XmlText whose marks are attributes. Ids and authors that the node carries
 * are kept, missing ones are given.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { identifiedTypes } from '../../../schema/document-schema.ts'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import { setAttribute } from './y-text.ts'

export interface ElementOrigin {
  readonly newId: () => BlockId
  readonly author: ActorId
}

export function buildElement(node: Node, origin: ElementOrigin): Y.XmlElement {
  const element = new Y.XmlElement(node.type.name)
  for (const [name, value] of Object.entries(node.attrs)) {
    if (value !== null) setAttribute(element, name, value)
  }
  if (identifiedTypes.has(node.type.name) && !node.attrs['id']) {
    setAttribute(element, 'id', origin.newId())
  }
  const children: (Y.XmlElement | Y.XmlText)[] = []
  let delta: object[] = []
  const flush = (): void => {
    if (delta.length === 0) return
    const text = new Y.XmlText()
    text.applyDelta(delta)
    children.push(text)
    delta = []
  }
  node.forEach((child) => {
    if (child.isText) {
      const attributes: Record<string, object> = { authored: { by: origin.author } }
      for (const mark of child.marks) attributes[mark.type.name] = { ...mark.attrs }
      delta.push({ insert: child.text, attributes })
      return
    }
    flush()
    children.push(buildElement(child, origin))
  })
  flush()
  if (children.length > 0) element.insert(0, children)
  return element
}
