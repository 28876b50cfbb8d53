/**
 * Where one step of undo ends and the next begins: at Enter, at a blank after some twenty letters,
 * after three seconds, where the caret is moved, and where something else is done than before
 * (typing, erasing; all else is a step of its own). Knows documents and times, not Yjs.
 */
import { Fragment, type Node } from 'prosemirror-model'
import { commonEnds } from '../../../schema/diff/ends.ts'
import { unspelled } from '../../../schema/markdown/unspelled.ts'
import type { DocRange } from '../model/doc-range.ts'

export interface OwnChange {
  readonly before: Node
  readonly after: Node
  /** Milliseconds. */
  readonly at: number
  /** The caret was moved since the last change. */
  readonly isMoved: boolean
  /** Pasted, cut or dropped. */
  readonly isBrought: boolean
}

/** `clear`: a selection of several blocks went, perhaps for what is typed in its place. */
type Kind = 'type' | 'erase' | 'clear' | 'split' | 'other'

interface Step {
  kind: Kind
  readonly beganAt: number
  /** When its last change was written, which takes a while where that is large. */
  writtenAt: number
  letters: number
  isOver: boolean
}

const brought = { kind: 'other', text: '' } as const
const stepLastsMs = 3000
/** One key may take two writes. */
const oneKeyMs = 100
const lettersBeforeBlank = 20

export class UndoSteps {
  #step: Step | undefined

  /** Whether this change belongs to the step of the one before it; else it begins one. */
  joins(change: OwnChange): boolean {
    const step = this.#step
    const { kind, text } = change.isBrought ? brought : kindOf(change, step?.kind)
    const joins = step !== undefined && !change.isMoved && isOneStep(step, kind, change.at)
    const { at } = change
    const now = joins ? step : { kind, beganAt: at, writtenAt: at, letters: 0, isOver: false }
    now.kind = kind
    now.letters += text.length
    now.isOver = kind === 'split' || (now.letters >= lettersBeforeBlank && /\s$/.test(text))
    this.#step = now
    return joins
  }

  /** The change that was told of last is written. */
  written(at: number): void {
    if (this.#step !== undefined) this.#step.writtenAt = at
  }

  /** Whatever comes next begins a step. */
  end(): void {
    this.#step = undefined
  }
}

function isOneStep(
  { kind: last, beganAt, writtenAt, isOver }: Step,
  kind: Kind,
  at: number,
): boolean {
  if (isOver || at - beganAt >= stepLastsMs) return false
  if (last === 'clear') return kind === 'type' && at - writtenAt < oneKeyMs
  if (kind === 'split') return last === 'type'
  return kind === last && kind !== 'other'
}

interface Done {
  readonly kind: Kind
  /** The text that came. */
  readonly text: string
}

function kindOf({ before, after }: OwnChange, last: Kind | undefined): Done {
  const { front, back } = commonEnds(before.children, after.children, Object.is)
  const [was, now] = [before, after].map((doc) => {
    const changed = doc.children.slice(front, doc.childCount - back)
    return doc.copy(Fragment.fromArray(changed.map(unspelled)))
  }) as [Node, Node]
  // A blank at the end of a line changes how it is written, and the next letter changes it back.
  const isSpelling = was.eq(now)
  return isSpelling
    ? { kind: last === 'erase' ? last : 'type', text: ' ' }
    : changeBetween(was, now)
}

function changeBetween(before: Node, after: Node): Done {
  const start = before.content.findDiffStart(after.content)
  const ends = before.content.findDiffEnd(after.content)
  if (start === null || ends === null) return { kind: 'other', text: '' }
  // Where letters repeat, what is common at both ends overlaps.
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b))
  const [endBefore, endAfter] = [ends.a + overlap, ends.b + overlap]
  const text = after.textBetween(start, endAfter, '', '\ufffc')
  const isText = holdsText(after, { from: start, to: endAfter, text })
  // The same text again has another form; so has another image in the place of one.
  const wasText = before.textBetween(start, endBefore, '\n', '\ufffc')
  const isTyped = isText && text !== '' && text !== wasText
  if (isTyped) return { kind: 'type', text }
  if (endAfter === start && isTextOnly(before, start, endBefore)) return { kind: 'erase', text }
  if (endBefore === start && text === '') return { kind: 'split', text }
  return { kind: text === '' && endBefore > start ? 'clear' : 'other', text: '' }
}

/** In one block: a part of it, or the whole of a new one. */
function holdsText(doc: Node, { from, to, text }: DocRange & { readonly text: string }): boolean {
  if (isTextOnly(doc, from, to)) return text.length === to - from
  const block = doc.nodeAt(from)
  const isWhole = block?.isTextblock === true && to <= from + block.nodeSize
  return isWhole && text.length === block.content.size
}

function isTextOnly(doc: Node, from: number, to: number): boolean {
  const place = doc.resolve(from)
  return place.parent.isTextblock && place.sameParent(doc.resolve(to))
}
