/**
 * Puts a text in the place of what was found. It takes the marks of what it replaces, and is its
 * writer's. Everything at once is one step to undo, and between two matches not a character is
 * touched.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import { ReplaceStep } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey, yUndoPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import type { Match } from './search.ts'

/** What takes a match's place in its text block. */
function replacement(textblock: Node, offset: number, text: string): Fragment {
  if (text === '') return Fragment.empty
  const marks = textblock.childAfter(offset).node?.marks ?? []
  const kept = marks.filter((mark) => mark.type.name !== 'authored')
  return Fragment.from(textblock.type.schema.text(text, kept))
}

export function replaceOne(view: EditorView, { from, to }: Match, text: string): void {
  const at = view.state.doc.resolve(from)
  const fresh = replacement(at.parent, at.parentOffset, text)
  view.dispatch(view.state.tr.step(new ReplaceStep(from, to, new Slice(fresh, 0, 0))))
}

/**
 * All of them, in rounds: one match of each block a round, so that what stands between two matches
 * is never part of what changed; for the others and for undo it is one change.
 */
export function replaceAll(view: EditorView, matches: readonly Match[], text: string): void {
  const undo = yUndoPluginKey.getState(view.state)?.undoManager as Y.UndoManager | undefined
  const sync = ySyncPluginKey.getState(view.state) as { readonly doc: Y.Doc } | undefined
  const blocks = byBlock(view.state.doc, matches)
  const work = () => {
    for (let round = roundOf(blocks, text); round.length > 0; round = roundOf(blocks, text)) {
      replaceRound(view, round, text)
    }
  }
  undo?.stopCapturing()
  if (sync === undefined) work()
  else sync.doc.transact(work, ySyncPluginKey)
  undo?.stopCapturing()
}

/** A text block's matches that are still to be replaced, and how much it has grown. */
interface Block {
  readonly left: Match[]
  growth: number
}

function byBlock(doc: Node, matches: readonly Match[]): Block[] {
  const blocks = new Map<number, Block>()
  for (const match of matches) {
    const start = doc.resolve(match.from).start()
    const block = blocks.get(start) ?? { left: [], growth: 0 }
    blocks.set(start, block)
    block.left.push(match)
  }
  return [...blocks.values()]
}

/** The last match of each block, where it stands after the rounds before. */
function roundOf(blocks: readonly Block[], text: string): Match[] {
  const round: Match[] = []
  let shift = 0
  for (const block of blocks) {
    const match = block.left.pop()
    const before = shift
    shift += block.growth
    if (match === undefined) continue
    round.push({ from: match.from + before, to: match.to + before })
    block.growth += text.length - (match.to - match.from)
  }
  return round
}

/** From so many on, the blocks of a round give way all at once: a step each would be slow. */
const stepsMax = 200

function replaceRound(view: EditorView, round: readonly Match[], text: string): void {
  if (round.length <= stepsMax) {
    const { tr } = view.state
    for (const match of round.toReversed()) {
      const { from, to } = match
      const at = tr.doc.resolve(from)
      const fresh = replacement(at.parent, at.parentOffset, text)
      tr.step(new ReplaceStep(from, to, new Slice(fresh, 0, 0)))
    }
    view.dispatch(tr)
  } else replaceBlocks(view, round, text)
}

function replaceBlocks(view: EditorView, round: readonly Match[], text: string): void {
  const { doc, tr } = view.state
  const blocks: Node[] = []
  let next = 0
  doc.forEach((block, offset) => {
    const own: Match[] = []
    for (let match = round[next]; match && match.from < offset + block.nodeSize; ) {
      own.push(match)
      match = round[++next]
    }
    blocks.push(own.reduceRight((node, match) => replacedIn(node, offset, { match, text }), block))
  })
  view.dispatch(
    tr.step(new ReplaceStep(0, doc.content.size, new Slice(Fragment.from(blocks), 0, 0))),
  )
}

/** A block that stands at `offset`, with one match replaced. */
function replacedIn(
  block: Node,
  offset: number,
  { match, text }: { readonly match: Match; readonly text: string },
): Node {
  const [from, to] = [match.from - offset - 1, match.to - offset - 1]
  const at = block.resolve(from)
  const fresh = replacement(at.parent, at.parentOffset, text)
  return block.replace(from, to, new Slice(fresh, 0, 0))
}
