/**
 * Fills the element of one large block, a portion a step, each in a transaction of its own: also
 * within one list, one table and one paragraph. The types are those of `build.ts`.
 */
import { Mark, type Node } from 'prosemirror-model'
import * as Y from 'yjs'
import type { Steps } from '../../../schema/steps.ts'
import type { Child } from '../../yjs/children.ts'
import { newChars, newFormat, TextEnd } from '../../yjs/inserting.ts'
import { type BuildOptions, buildElement, buildShell, buildText, creditedMarks } from './build.ts'
import { changeMarks, formatOf } from './marks.ts'

/** Positions of a container, and pieces of inline content, that are written at once. */
export const portionSize = 1024
const portionPieces = 512
/** Blocks in one transaction. */
const portionBlocks = 50

/** Fills the empty element of one node; at each yield it is valid, if shorter. */
export function* fillingElement(
  doc: Y.Doc,
  element: Y.XmlElement,
  { node, options }: { readonly node: Node; readonly options: BuildOptions },
): Steps<void> {
  yield* new Filling(doc, options).within(element, node)
}

/** What is written in one go. */
const isSmall = (node: Node): boolean =>
  node.inlineContent ? node.childCount <= portionPieces : node.nodeSize <= portionSize

class Filling {
  readonly #doc: Y.Doc
  readonly #options: BuildOptions

  constructor(doc: Y.Doc, options: BuildOptions) {
    this.#doc = doc
    this.#options = options
  }

  *blocks(parent: Y.XmlFragment, nodes: readonly Node[]): Steps<void> {
    const row = new Row(this.#doc, parent)
    let size = 0
    for (const node of nodes) {
      if (isSmall(node)) {
        row.push(buildElement(node, this.#options))
        size += node.nodeSize
        if (size < portionSize && row.waiting < portionBlocks) continue
        row.flush()
      } else {
        const shell = buildShell(node, this.#options)
        row.push(shell)
        row.flush()
        yield* this.within(shell, node)
      }
      size = 0
      yield
    }
    row.flush()
  }

  *within(element: Y.XmlElement, node: Node): Steps<void> {
    if (node.inlineContent) yield* this.#inline(element, node)
    else yield* this.blocks(element, node.children)
  }

  *#inline(element: Y.XmlElement, { children }: Node): Steps<void> {
    const row = new Row(this.#doc, element)
    for (let from = 0; from < children.length; ) {
      let to = from
      while (children[to]?.isText === true) to++
      if (to === from) row.push(buildElement(children[from++] as Node, this.#options))
      else {
        const nodes = children.slice(from, to)
        from = to
        if (nodes.length <= portionPieces) row.push(buildText(nodes, this.#options))
        else {
          const text = new Y.XmlText()
          row.push(text)
          row.flush()
          yield* this.#text(text, nodes)
        }
      }
      if (row.waiting < portionBlocks) continue
      row.flush()
      yield
    }
    row.flush()
  }

  /** Writes a text of many runs, each behind the one before. */
  *#text(text: Y.XmlText, nodes: readonly Node[]): Steps<void> {
    const runs = new Runs(text)
    for (let from = 0; from < nodes.length; from += portionPieces) {
      Y.transact(this.#doc, (transaction) => {
        for (const node of nodes.slice(from, from + portionPieces)) {
          runs.add(transaction, node.text ?? '', creditedMarks(node.marks, this.#options))
        }
        if (from + portionPieces >= nodes.length) runs.close(transaction)
      })
      yield
    }
  }
}

/** Children that come at the end of their parent, some together. */
class Row {
  readonly #doc: Y.Doc
  readonly #parent: Y.XmlFragment
  #last: Child | null = null
  #waiting: Child[] = []

  constructor(doc: Y.Doc, parent: Y.XmlFragment) {
    this.#doc = doc
    this.#parent = parent
  }

  get waiting(): number {
    return this.#waiting.length
  }

  push(child: Child): void {
    this.#waiting.push(child)
  }

  flush(): void {
    const children = this.#waiting
    if (children.length === 0) return
    Y.transact(this.#doc, () => this.#parent.insertAfter(this.#last, children))
    this.#last = children.at(-1) ?? null
    this.#waiting = []
  }
}

/** Writes runs of text one behind the other. */
class Runs {
  readonly #end: TextEnd
  #marks: readonly Mark[] = Mark.none

  constructor(text: Y.XmlText) {
    this.#end = new TextEnd(text)
  }

  add(transaction: Y.Transaction, text: string, marks: readonly Mark[]): void {
    this.#change(transaction, marks)
    this.#end.append(transaction, newChars(text))
  }

  /** What comes behind the text has none of its formats. */
  close(transaction: Y.Transaction): void {
    this.#change(transaction, Mark.none)
  }

  #change(transaction: Y.Transaction, marks: readonly Mark[]): void {
    changeMarks(this.#marks, marks, (name, begins) => {
      this.#end.append(transaction, newFormat(name, begins ? formatOf(begins) : null))
    })
    this.#marks = marks
  }
}
