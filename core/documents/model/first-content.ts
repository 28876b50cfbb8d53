/**
 * The first content of a document: parsed blocks get their ids and their text its author, and are
 * written as the snapshot that the document is loaded from when somebody works with it. Until then
 * it needs no Y.Doc. The types are those that y-prosemirror writes, as in `build.ts`.
 * Invariant: what is loaded from the snapshot reads as exactly the nodes that were written.
 */
import { Fragment, Mark, type Node } from 'prosemirror-model'
import { documentSchema, fragmentName, identifiedTypes } from '../../../schema/document-schema.ts'
import type { ActorId, BlockId } from '../../../schema/ids.ts'
import { passInline } from '../../../schema/markdown/kept-inline.ts'
import { type Filled, NewTree } from '../../yjs/new-tree.ts'
import { changeMarks, formatOf } from './marks.ts'

export interface Crediting {
  /** All text is this actor's. */
  readonly author: ActorId
  newId(): BlockId
}

/** The same blocks, identified and credited. */
export function creditNodes(nodes: readonly Node[], { author, newId }: Crediting): readonly Node[] {
  const credit = documentSchema.marks.authored.create({ by: author })
  const alone = credit.addToSet(Mark.none)
  const all = (nodes: readonly Node[]): Node[] =>
    nodes.map((node) => (node.isText ? credited(node) : identified(node, all(node.children))))
  const credited = (text: Node): Node =>
    text.mark(text.marks.length === 0 ? alone : credit.addToSet(text.marks))
  const identified = (node: Node, content: readonly Node[]): Node => {
    const { type, attrs } = node
    const own: Record<string, unknown> = identifiedTypes.has(type.name) ? { id: newId() } : {}
    for (const name in attrs) if (name !== 'id') own[name] = attrs[name]
    const same = type.create(own, Fragment.fromArray(content))
    passInline(node, same)
    return same
  }
  return all(nodes)
}

export interface FirstContent {
  readonly snapshot: Uint8Array
  /** How many structs it holds. */
  readonly structs: number
}

/** The snapshot of a document of these blocks, all written by one client. */
export function writeContent(nodes: readonly Node[], client: number): FirstContent {
  const tree = new NewTree(fragmentName, client)
  const formats = new Formats()
  function write(into: Filled, nodes: readonly Node[]): void {
    const row = new Row({ tree, formats, into })
    for (const node of nodes) {
      if (node.isText) row.text(node)
      else write(row.element(node), node.children)
    }
    row.end()
  }
  write(tree.root, nodes)
  return { snapshot: tree.finish(), structs: tree.count }
}

/** What marks are written as: most are one object each, the author's of all text first. */
class Formats {
  readonly #known = new Map<Mark, object>()

  of(mark: Mark): object {
    const known = this.#known.get(mark)
    if (known !== undefined) return known
    const value = formatOf(mark)
    this.#known.set(mark, value)
    return value
  }
}

/** What stands in one element: neighbouring texts become one, with formats where marks change. */
class Row {
  readonly #tree: NewTree
  readonly #formats: Formats
  readonly #into: Filled
  #text: Filled | undefined
  #marks: readonly Mark[] = Mark.none

  constructor({ tree, formats, into }: { tree: NewTree; formats: Formats; into: Filled }) {
    this.#tree = tree
    this.#formats = formats
    this.#into = into
  }

  element(node: Node): Filled {
    this.end()
    const element = this.#tree.element(this.#into, node.type.name)
    for (const name in node.attrs) {
      const value: unknown = node.attrs[name]
      if (value !== null && value !== undefined) this.#tree.attribute(element, name, value)
    }
    return element
  }

  text({ text = '', marks }: Node): void {
    this.#text ??= this.#tree.text(this.#into)
    this.#change(this.#text, marks)
    this.#tree.chars(this.#text, text)
  }

  /** What comes behind a text has none of its formats. */
  end(): void {
    if (this.#text !== undefined) this.#change(this.#text, Mark.none)
    this.#text = undefined
  }

  #change(text: Filled, marks: readonly Mark[]): void {
    if (marks === this.#marks) return
    changeMarks(this.#marks, marks, (name, begins) => {
      this.#tree.format(text, name, begins ? this.#formats.of(begins) : null)
    })
    this.#marks = marks
  }
}
