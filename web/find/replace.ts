/**
 * Puts a text in the place of what was found. It takes the marks of what it replaces, and is its
 * writer's. Everything at once is one step to undo and one change for the others, and between two
 * matches not a character is touched.
 */
import { Fragment, type Node, type Schema, Slice } from 'prosemirror-model'
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

/** What stands in the place of an inline node. All of it shares one mark that says whose it is. */
function inPlace(schema: Schema, { text, author }: Replacement): (node: Node) => readonly Node[] {
  if (text === '') return () => []
  const own = author === undefined ? undefined : schema.mark('authored', { by: author })
  return ({ marks }) => {
    const kept = marks.filter((mark) => mark.type.name !== 'authored')
    return [schema.text(text, own?.addToSet(kept) ?? kept)]
  }
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
    through.push(replacedIn(through.at(-1) ?? doc, round, by))
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
  if (matches.length > stepsMax) {
    const { content } = replacedIn(tr.doc, matches, by)
    return tr.step(new ReplaceStep(0, tr.doc.content.size, new Slice(content, 0, 0)))
  }
  const freshFor = inPlace(tr.doc.type.schema, by)
  for (const { from, to } of matches.toReversed()) {
    const found = tr.doc.nodeAt(from)
    const fresh = Fragment.from(found && freshFor(found))
    tr.step(new ReplaceStep(from, to, new Slice(fresh, 0, 0)))
  }
  return tr
}

/** The document with all of them replaced, whose other nodes are what they were. */
function replacedIn(doc: Node, matches: readonly Match[], by: Replacement): Node {
  const freshFor = inPlace(doc.type.schema, by)
  const left = matches.values()
  let next = left.next().value
  const rebuilt = (node: Node, start: number): Node => {
    if (next === undefined || next.from >= start + node.content.size) return node
    const children: Node[] = []
    let pos = start
    // Before it, nothing is kept any more.
    let kept = start
    for (const child of node.children) {
      const end = pos + child.nodeSize
      if (!node.inlineContent) children.push(child.isLeaf ? child : rebuilt(child, pos + 1))
      else {
        for (; next !== undefined && next.from < end; next = left.next().value) {
          const from = Math.max(kept, pos)
          if (from < next.from) children.push(child.cut(from - pos, next.from - pos))
          children.push(...freshFor(child))
          kept = next.to
        }
        if (kept < end) children.push(kept <= pos ? child : child.cut(kept - pos))
      }
      pos = end
    }
    return node.copy(Fragment.fromArray(children))
  }
  return rebuilt(doc, 0)
}
