/**
 * Puts a text in the place of what was found. It takes the marks of what it replaces, and is its
 * writer's. Everything at once is one step to undo and one change for the others, and between two
 * matches not a character is touched.
 */
import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import type { Binding } from '../editor/binding/binding.ts'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import type { Match } from './search.ts'

/** What takes the place of a match. */
export interface Replacement {
  readonly text: string
  /** Who writes it; `undefined` while nobody has said who. */
  readonly author: string | undefined
}

/** The replacement as it stands at this offset of a text block. */
function fragmentAt(textblock: Node, offset: number, { text, author }: Replacement): Fragment {
  if (text === '') return Fragment.empty
  const { schema } = textblock.type
  const marks = textblock.childAfter(offset).node?.marks ?? []
  const kept = marks.filter((mark) => mark.type.name !== 'authored')
  const own = author === undefined ? undefined : schema.mark('authored', { by: author })
  return Fragment.from(schema.text(text, own?.addToSet(kept) ?? kept))
}

export function replaceOne(view: EditorView, match: Match, by: Replacement): void {
  view.dispatch(replaceIn(view.state.tr, [match], by))
}

/** All of it is shown at once, and written in rounds. */
export function replaceAll(view: EditorView, matches: readonly Match[], by: Replacement): void {
  const { binding } = ySyncPluginKey.getState(view.state) as { binding: Binding }
  const { doc, tr } = view.state
  beginUndoStep(view.state)
  binding.goingThrough(
    () => throughRounds(doc, matches, by),
    () => view.dispatch(replaceIn(tr, matches, by)),
  )
  beginUndoStep(view.state)
}

/**
 * The document after each round but the last, one match of each block a round: what is written of a
 * changed block reaches from its first to its last change, and two matches in one round would take
 * what is between them along.
 */
function throughRounds(doc: Node, matches: readonly Match[], by: Replacement): Node[] {
  const through: Node[] = []
  for (const round of roundsOf(doc, matches, by.text).slice(0, -1)) {
    const blocks = replacedBlocks(through.at(-1) ?? doc, round, by)
    through.push(doc.copy(Fragment.from(blocks)))
  }
  return through
}

/** The last match of every text block, the last but one, and so on; each where it stands then. */
function roundsOf(doc: Node, matches: readonly Match[], text: string): Match[][] {
  const blocks = byBlock(doc, matches)
  const deltas = blocks.map(() => 0)
  const rounds: Match[][] = []
  for (;;) {
    const round: Match[] = []
    let shift = 0
    for (const [index, left] of blocks.entries()) {
      const match = left.pop()
      const before = shift
      shift += deltas[index] ?? 0
      if (match === undefined) continue
      round.push({ from: match.from + before, to: match.to + before })
      deltas[index] = (deltas[index] ?? 0) + text.length - (match.to - match.from)
    }
    if (round.length === 0) return rounds
    rounds.push(round)
  }
}

/** The matches of each text block that has any. */
function byBlock(doc: Node, matches: readonly Match[]): Match[][] {
  const blocks: Match[][] = []
  let next = 0
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true
    const own: Match[] = []
    for (let match = matches[next]; match && match.from < pos + node.nodeSize; ) {
      own.push(match)
      match = matches[++next]
    }
    if (own.length > 0) blocks.push(own)
    return false
  })
  return blocks
}

/** From so many on, the blocks give way all at once: a step each would be slow. */
const stepsMax = 200

function replaceIn(tr: Transaction, matches: readonly Match[], by: Replacement): Transaction {
  const { doc } = tr
  if (matches.length > stepsMax) {
    const blocks = replacedBlocks(doc, matches, by)
    return tr.step(new ReplaceStep(0, doc.content.size, new Slice(Fragment.from(blocks), 0, 0)))
  }
  for (const { from, to } of matches.toReversed()) {
    const at = tr.doc.resolve(from)
    const fresh = fragmentAt(at.parent, at.parentOffset, by)
    tr.step(new ReplaceStep(from, to, new Slice(fresh, 0, 0)))
  }
  return tr
}

function replacedBlocks(doc: Node, round: readonly Match[], by: Replacement): Node[] {
  const blocks: Node[] = []
  let next = 0
  doc.forEach((block, offset) => {
    const own: Match[] = []
    for (let match = round[next]; match && match.from < offset + block.nodeSize; ) {
      own.push(match)
      match = round[++next]
    }
    const start = offset + 1
    blocks.push(
      own.reduceRight((node, { from, to }) => {
        const at = node.resolve(from - start)
        const fresh = fragmentAt(at.parent, at.parentOffset, by)
        return node.replace(from - start, to - start, new Slice(fresh, 0, 0))
      }, block),
    )
  })
  return blocks
}
