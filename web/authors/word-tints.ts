/**
 * While authorship is shown, a word in which several wrote is shown as one author's: a letter put
 * right is nobody's part of a word. What is recorded, and what a tip says of a letter, stays exact.
 */
import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration } from 'prosemirror-view'
import { ViewportDecorations } from '../editor/viewport/viewport-decorations.ts'
import type { Readable } from '../platform/store.ts'
import { authorOf } from './shares.ts'

const words = /[\p{L}\p{N}\p{M}_]+(?:['’-][\p{L}\p{N}\p{M}_]+)*/gu

interface Run {
  readonly from: number
  readonly to: number
  readonly by: string | undefined
}

export interface SharedWord {
  readonly from: number
  readonly to: number
  /** Who wrote most of it; of those who wrote as much, the last. */
  readonly by: string
}

/** The words of a text block in which several wrote, as offsets in it. */
export function sharedWords(block: Node): readonly SharedWord[] {
  const runs = runsOf(block)
  if (runs.length < 2) return []
  const text = block.textBetween(0, block.content.size, '', '\ufffc')
  return [...text.matchAll(words)].flatMap((match) => {
    const [from, to] = [match.index, match.index + match[0].length]
    const by = mostOf(runs, from, to)
    return by === undefined ? [] : [{ from, to, by }]
  })
}

/** Of one author each, side by side. */
function runsOf(block: Node): readonly Run[] {
  const runs: Run[] = []
  block.forEach((node, from) => {
    const by = authorOf(node)
    const [last, to] = [runs.at(-1), from + node.nodeSize]
    if (last !== undefined && last.by === by) runs[runs.length - 1] = { ...last, to }
    else runs.push({ from, to, by })
  })
  return runs
}

/** Undefined: it is of one author anyway. */
function mostOf(runs: readonly Run[], from: number, to: number): string | undefined {
  const parts = runs.filter((run) => run.from < to && from < run.to)
  if (parts.length < 2) return undefined
  const sizes = new Map<string, number>()
  for (const { by, ...run } of parts) {
    const size = Math.min(to, run.to) - Math.max(from, run.from)
    if (by !== undefined) sizes.set(by, (sizes.get(by) ?? 0) + size)
  }
  const most = Math.max(...sizes.values())
  return parts.findLast(({ by }) => by !== undefined && sizes.get(by) === most)?.by
}

function draw(doc: Node, from: number, to: number): Decoration[] {
  const drawn: Decoration[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    if (!node.inlineContent) return true
    for (const word of sharedWords(node)) {
      const [start, end] = [pos + 1 + word.from, pos + 1 + word.to]
      drawn.push(Decoration.inline(start, end, { 'data-word-by': word.by }))
    }
    return false
  })
  return drawn
}

/** `shown`: whether authorship is. */
export function wordTints(shown: Readable<boolean>): readonly Plugin[] {
  const drawn = new ViewportDecorations('word-tints', (doc, from, to) =>
    shown.get() ? draw(doc, from, to) : [],
  )
  const watcher = new Plugin({
    view: (view) => ({ destroy: shown.subscribe(() => drawn.redraw(view)) }),
  })
  return [drawn.plugin, watcher]
}
