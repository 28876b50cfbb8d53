/**
 * What a ProseMirror editor does with blocks, written to Yjs by y-prosemirror's own code: split,
 * join, wrap, lift, retype, delete, paste with the same id, cut and paste. Such edits write text
 * again, so who does one may come to be the author of words of others where somebody else was at
 * it too.
 */
import type { Node } from 'prosemirror-model'
import { canJoin, findWrapping, liftTarget, Transform } from 'prosemirror-transform'
import { initProseMirrorDoc, updateYFragment } from 'y-prosemirror'
import { documentSchema } from '../../schema/document-schema.ts'
import type { Chance } from '../chance.ts'
import type { LiveEditor } from './live-editor.ts'

export const blockActions = [
  'split',
  'join',
  'wrap',
  'lift',
  'retype',
  'deleteBlock',
  'pasteBlock',
  'moveBlock',
] as const
export type BlockAction = (typeof blockActions)[number]

const { nodes } = documentSchema

interface Place {
  readonly pos: number
  readonly node: Node
}

/** False when there was nothing to do it on. */
export function editBlocks(editor: LiveEditor, action: BlockAction): boolean {
  const { doc, meta } = initProseMirrorDoc(editor.fragment, documentSchema)
  const transform = new Transform(doc)
  actions[action](transform, editor.chance)
  if (!transform.docChanged) return false
  editor.act(() => updateYFragment(editor.ydoc, editor.fragment, transform.doc, meta))
  return true
}

function textblocks(doc: Node): Place[] {
  const found: Place[] = []
  doc.descendants((node, pos) => {
    if (node.isTextblock && !node.type.spec.code && !isInTable(doc, pos)) found.push({ pos, node })
  })
  return found
}

const isInTable = (doc: Node, pos: number): boolean => {
  const place = doc.resolve(pos)
  return Array.from({ length: place.depth + 1 }, (_, depth) => place.node(depth)).some(
    ({ type }) => type === nodes['table'],
  )
}

function topBlocks(doc: Node): Place[] {
  const found: Place[] = []
  doc.forEach((node, pos) => {
    if (node.type.name !== 'front_matter') found.push({ pos, node })
  })
  return found
}

const actions: Readonly<Record<BlockAction, (tr: Transform, chance: Chance) => void>> = {
  split(tr, chance) {
    const block = chance.pick(textblocks(tr.doc))
    if (block === undefined) return
    tr.split(block.pos + 1 + chance.between(0, block.node.content.size))
  },
  join(tr, chance) {
    const block = chance.pick(
      textblocks(tr.doc).filter(({ pos }) => {
        const before = tr.doc.resolve(pos).nodeBefore
        // To ProseMirror an empty text block could join a list, until it tries.
        return before?.isTextblock === true && canJoin(tr.doc, pos)
      }),
    )
    if (block !== undefined) tr.join(block.pos)
  },
  wrap(tr, chance) {
    const block = chance.pick(textblocks(tr.doc))
    if (block === undefined) return
    const range = tr.doc.resolve(block.pos + 1).blockRange()
    const name = chance.pick(['blockquote', 'bullet_list', 'ordered_list']) ?? 'blockquote'
    const type = nodes[name]
    const wrapping = range && range.depth < 6 && type && findWrapping(range, type)
    if (range && wrapping) tr.wrap(range, wrapping)
  },
  lift(tr, chance) {
    const deep = textblocks(tr.doc).filter(({ pos }) => tr.doc.resolve(pos).depth > 0)
    const block = chance.pick(deep)
    const range = block && tr.doc.resolve(block.pos + 1).blockRange()
    const target = range && liftTarget(range)
    if (range && typeof target === 'number') tr.lift(range, target)
  },
  retype(tr, chance) {
    const block = chance.pick(textblocks(tr.doc))
    const type = nodes[chance.pick(['paragraph', 'heading']) ?? 'paragraph']
    if (block && type) tr.setBlockType(block.pos + 1, block.pos + 1, type, block.node.attrs)
  },
  deleteBlock(tr, chance) {
    const blocks = topBlocks(tr.doc)
    const block = chance.pick(blocks)
    if (block && blocks.length > 3) tr.delete(block.pos, block.pos + block.node.nodeSize)
  },
  pasteBlock(tr, chance) {
    const blocks = topBlocks(tr.doc)
    const [source, target] = [chance.pick(blocks), chance.pick(blocks)]
    if (source && target && blocks.length < 30) tr.insert(target.pos, source.node)
  },
  moveBlock(tr, chance) {
    const source = chance.pick(topBlocks(tr.doc))
    if (source === undefined || tr.doc.childCount < 3) return
    tr.delete(source.pos, source.pos + source.node.nodeSize)
    const target = chance.pick(topBlocks(tr.doc))
    if (target) tr.insert(target.pos, source.node)
  },
}
