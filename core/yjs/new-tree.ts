/**
 * The types of a document that nobody has opened yet, struct by struct, straight into its first
 * snapshot: there need be no Y.Doc to write one. What is loaded from it is what the same writes
 * would have made. Everything is written behind what its parent has already.
 */
import * as Y from 'yjs'
import { SnapshotWriter } from './snapshot.ts'

type Content = Y.ContentType | Y.ContentString | Y.ContentFormat | Y.ContentAny

/** A type that is being filled. */
export interface Filled {
  /** The id of its struct; of the root its name. */
  readonly parent: Y.ID | string
  /** What comes next stands behind it. */
  last: Y.ID | null
}

export class NewTree {
  readonly root: Filled
  readonly #writer: SnapshotWriter
  /** A type is written as its kind and name; what stands in it are other structs. */
  readonly #elements = new Map<string, Y.ContentType>()
  readonly #text = new Y.ContentType(new Y.XmlText())
  #count = 0

  /** All of it is this client's. */
  constructor(root: string, client: number) {
    this.root = { parent: root, last: null }
    this.#writer = new SnapshotWriter(client)
  }

  /** Structs written so far. */
  get count(): number {
    return this.#count
  }

  element(into: Filled, name: string): Filled {
    return this.#type(into, this.#elementOf(name))
  }

  text(into: Filled): Filled {
    return this.#type(into, this.#text)
  }

  chars(into: Filled, chars: string): void {
    this.#append(into, new Y.ContentString(chars))
  }

  /** The value null ends the format. */
  format(into: Filled, key: string, value: object | null): void {
    this.#append(into, new Y.ContentFormat(key, value as object))
  }

  /** Once for each name. */
  attribute({ parent }: Filled, name: string, value: unknown): void {
    this.#write({ parent, origin: null, name, content: new Y.ContentAny([value]) })
  }

  /** The snapshot; nothing is written after it. */
  finish(): Uint8Array {
    return this.#writer.finish()
  }

  #elementOf(name: string): Y.ContentType {
    const known = this.#elements.get(name)
    if (known !== undefined) return known
    const content = new Y.ContentType(new Y.XmlElement(name))
    this.#elements.set(name, content)
    return content
  }

  #type(into: Filled, content: Y.ContentType): Filled {
    return { parent: this.#append(into, content).id, last: null }
  }

  #append(into: Filled, content: Content): Y.Item {
    const item = this.#write({ parent: into.parent, origin: into.last, name: null, content })
    into.last = item.lastId
    return item
  }

  #write({ parent, origin, name, content }: Written): Y.Item {
    // Yjs takes the name of a root for a parent that is not known yet, as it does an id.
    const given = parent as Y.ID
    const item = new Y.Item(this.#writer.next, null, origin, null, null, given, name, content)
    this.#writer.add(item)
    this.#count++
    return item
  }
}

interface Written {
  readonly parent: Y.ID | string
  readonly origin: Y.ID | null
  /** Of an attribute. */
  readonly name: string | null
  readonly content: Content
}
