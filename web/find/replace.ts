/**
 * Puts a text in the place of what was found. It takes the marks of what it replaces, and is its
 * writer's. Everything at once is one step to undo and one change for the others, and between two
 * matches not a character is touched.
 */
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { StepMap } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { textEnds } from '../../schema/diff/ends.ts'
import type { Region } from '../../schema/diff/inline-row.ts'
import { documentSchema } from '../../schema/document-schema.ts'
import { knowRegions } from '../editor/binding/known-regions.ts'
import { Rewriting } from '../editor/binding/rewrite.ts'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import { type Match, textOf } from './search.ts'

const { authored } = documentSchema.marks

/** What takes the place of a match. */
export interface Replacement {
  readonly text: string
  /** Who writes it; `undefined` while nobody has said who. */
  readonly author: string | undefined
}

/** Everything at once is one step to undo. The selection stays beside what is left of it. */
export function replaceAll(view: EditorView, matches: readonly Match[], by: Replacement): void {
  beginUndoStep(view.state)
  replace(view, matches, by)
  beginUndoStep(view.state)
}

export function replace(view: EditorView, matches: readonly Match[], by: Replacement): void {
  const { doc, tr } = view.state
  const { next, map } = replacedIn(doc, matches, by)
  if (next !== doc) view.dispatch(tr.step(new Rewriting(doc, next, map)))
}

/**
 * The document with all of them replaced. Other nodes stay what they were, and of each text block
 * that is another it is known where it was rewritten.
 */
function replacedIn(doc: Node, matches: readonly Match[], by: Replacement) {
  const ranges: number[] = []
  const write = writingAs(by.author)
  const left = matches.values()
  let match = left.next().value
  const replaced = (node: Node, start: number): Node => {
    const end = start + node.content.size
    if (match === undefined || match.from >= end) return node
    if (!node.inlineContent) {
      let pos = start
      const children = node.children.map((child) => {
        const inside = pos + 1
        pos += child.nodeSize
        return child.isLeaf ? child : replaced(child, inside)
      })
      return node.copy(Fragment.fromArray(children))
    }
    const own: Match[] = []
    for (; match !== undefined && match.from < end; match = left.next().value) {
      own.push({ from: match.from - start, to: match.to - start })
    }
    const edits = editsOf(node, own, by.text)
    for (const { from, to, text } of edits) ranges.push(start + from, to - from, text.length)
    return edits.length === 0 ? node : edited(node, edits, write)
  }
  const next = replaced(doc, 0)
  return { next: ranges.length === 0 ? doc : next, map: new StepMap(ranges) }
}

/** [from, to) of a text block gives way to a text, with the marks of what the match began with. */
interface Edit extends Match {
  readonly text: string
  readonly marks: readonly Mark[]
}

/** What a match and its replacement begin or end with alike stays, with its authors. */
function editsOf(textblock: Node, matches: readonly Match[], by: string): Edit[] {
  const edits: Edit[] = []
  const chars = textOf(textblock)
  let [index, end] = [-1, 0]
  for (const { from, to } of matches) {
    while (end <= from) end += textblock.child(++index).nodeSize
    const { front, back } = textEnds(chars.slice(from, to), by)
    const text = by.slice(front, by.length - back)
    const edit = { from: from + front, to: to - back, text, marks: textblock.child(index).marks }
    if (edit.from < edit.to || text !== '') edits.push(edit)
  }
  return edits
}

function edited(old: Node, edits: readonly Edit[], write: Writing): Node {
  const children: Node[] = []
  const regions: Region[] = []
  let [pos, at, shift] = [0, 0, 0]
  // Before it, nothing is kept any more.
  let kept = 0
  for (const child of old.children) {
    const end = pos + child.nodeSize
    for (let edit = edits[at]; edit && (edit.from < end || edit.to === end); edit = edits[++at]) {
      const { from, to, text } = edit
      const begin = Math.max(kept, pos)
      if (begin < from) children.push(child.cut(begin - pos, from - pos))
      if (text !== '') children.push(write(edit))
      const nextFrom = from + shift
      regions.push({ from, to, nextFrom, nextTo: nextFrom + text.length })
      shift += text.length - (to - from)
      kept = to
    }
    if (kept < end) children.push(kept <= pos ? child : child.cut(kept - pos))
    pos = end
  }
  const next = old.copy(Fragment.fromArray(children))
  knowRegions(next, { old, regions })
  return next
}

type Writing = (edit: Pick<Edit, 'text' | 'marks'>) => Node

/** All that is written shares one mark that says whose it is. */
function writingAs(author: string | undefined): Writing {
  const own = author === undefined ? undefined : authored.create({ by: author })
  return ({ text, marks }) => {
    const kept = marks.filter(({ type }) => type !== authored)
    return documentSchema.text(text, own?.addToSet(kept) ?? kept)
  }
}
