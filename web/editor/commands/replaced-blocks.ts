/** What text blocks became, and so where a selection in them is afterwards. */
import { Fragment, type Node, type ResolvedPos } from 'prosemirror-model'
import {
  AllSelection,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { nodes } from '../model/nodes.ts'
import { respelled, type TextblockType, turned } from './block-types.ts'
import { isBlock } from './selected-blocks.ts'

/** A place in a block, counted from where its content begins. */
interface Spot {
  readonly block: Node
  readonly offset: number
}

/** Blocks are told apart by being the very same object. */
export class ReplacedBlocks {
  readonly #turned = new Map<Node, readonly Node[]>()
  readonly #joined = new Map<Node, Spot>()

  turn(block: Node, wanted: TextblockType): readonly Node[] {
    const became = turned(block, wanted)
    this.#turned.set(block, became)
    return became
  }

  /** One block of code, which keeps the first one's id and the first language. */
  join(blocks: readonly Node[]): Node {
    const [first] = blocks
    if (first === undefined) throw new TypeError('there is no code to join')
    if (blocks.length === 1) return first
    const content: Node[] = []
    const starts: number[] = []
    let size = 0
    for (const [index, block] of blocks.entries()) {
      if (index > 0) content.push(first.type.schema.text('\n'))
      size += index > 0 ? 1 : 0
      starts.push(size)
      size += block.content.size
      content.push(...block.children)
    }
    const params = blocks.find(({ attrs }) => attrs['params'] !== '')?.attrs['params'] ?? ''
    const whole = first.type.create({ ...first.attrs, params }, Fragment.fromArray(content))
    for (const [index, block] of blocks.entries()) {
      this.#joined.set(block, { block: whole, offset: starts[index] ?? 0 })
    }
    return whole
  }

  /** Selects in `tr`, which now reads as `target`, what `before` did. */
  select(tr: Transaction, before: Selection, target: Node): void {
    if (before instanceof AllSelection) tr.setSelection(new AllSelection(tr.doc))
    else if (before instanceof NodeSelection) this.#selectNode(tr, before, target)
    else if (before instanceof TextSelection) {
      const anchor = this.#after(before.$anchor, target)
      const head = before.empty ? anchor : this.#after(before.$head, target)
      if (anchor === undefined || head === undefined) return
      tr.setSelection(TextSelection.create(tr.doc, anchor, head))
    }
  }

  /** The same block while there is one of its id, else its text. */
  #selectNode(tr: Transaction, { node, $from, $to }: NodeSelection, target: Node): void {
    const id = (node.attrs['id'] ?? null) as string | null
    const same = placeOf(
      target,
      (other) => other === node || (id !== null && other.attrs['id'] === id),
    )
    if (same !== undefined) {
      tr.setSelection(NodeSelection.create(tr.doc, same))
      return
    }
    const first = Selection.findFrom($from, 1, true)
    const last = Selection.findFrom($to, -1, true)
    const anchor = first === null ? undefined : this.#after(first.$from, target)
    const head = last === null ? undefined : this.#after(last.$to, target)
    if (anchor === undefined || head === undefined) return
    tr.setSelection(TextSelection.between(tr.doc.resolve(anchor), tr.doc.resolve(head)))
  }

  /** Where a position in a block's text is in `target`. */
  #after($pos: ResolvedPos, target: Node): number | undefined {
    for (let depth = 1; depth <= $pos.depth; depth++) {
      const block = $pos.node(depth)
      if (!isBlock(block) && block.type !== nodes.front_matter) continue
      const spot = this.#spotOf({ block, offset: $pos.pos - $pos.start(depth) })
      const at = placeOf(target, (node) => node === spot.block)
      return at === undefined ? undefined : at + 1 + spot.offset
    }
    return undefined
  }

  #spotOf({ block, offset }: Spot): Spot {
    const became = this.#turned.get(block) ?? [block]
    const [first = block] = became
    const isSpelled = first !== block && first.isTextblock
    let rest = isSpelled ? respelled(block.content.cut(0, offset), first.type).size : offset
    let part = first
    for (const node of became) {
      part = node
      if (rest <= node.content.size) break
      rest -= node.content.size + 1
    }
    const whole = this.#joined.get(part)
    return whole === undefined
      ? { block: part, offset: rest }
      : { block: whole.block, offset: whole.offset + rest }
  }
}

/** Where the first block that fits begins. */
function placeOf(doc: Node, fits: (node: Node) => boolean): number | undefined {
  let found: number | undefined
  doc.descendants((node, pos) => {
    if (found === undefined && fits(node)) found = pos
    return found === undefined && !isBlock(node)
  })
  return found
}
