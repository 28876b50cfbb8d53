/**
 * Attributes of nodes as records of one shape for each type. ProseMirror makes them without a
 * prototype, and V8 keeps such as a hash table of some 200 bytes for one or two values; every block
 * of every open document has one. To whoever reads them these look the same: they inherit nothing.
 */
import type { NodeType, Schema } from 'prosemirror-model'

type Computed = Readonly<Record<string, unknown>>

/** How a node type of prosemirror-model 1.x comes by the attributes of all that it makes. */
interface Computing {
  readonly defaultAttrs: Computed | null
  computeAttrs(given: Computed | null): Computed
}

/** Of all nodes that are made of this schema from now on. */
export function makeRecords({ nodes }: Schema): void {
  for (const type of Object.values(nodes)) makeRecordsOf(type)
}

function makeRecordsOf(nodeType: NodeType): void {
  const type = nodeType as unknown as Computing
  const computed = type.computeAttrs.bind(type)
  class Attributes {
    readonly [name: string]: unknown
  }
  Object.setPrototypeOf(Attributes.prototype, null)
  Reflect.deleteProperty(Attributes.prototype, 'constructor')
  type.computeAttrs = (given) => {
    const attributes = computed(given)
    if (attributes === type.defaultAttrs) return attributes
    return Object.assign(new Attributes(), attributes)
  }
}
