/**
 * While authorship is shown, a bar beside each line on the screen in the hue of who wrote most of
 * it: whole for a person, dotted for an agent. Measured anew in a frame in which something moved.
 */
import type { EditorView } from 'prosemirror-view'
import { firstIndex } from '../editor/viewport/visible-range.ts'
import type { Readable } from '../platform/store.ts'
import { type AuthorBook, isHuman } from './author-book.ts'
import type { Overlay } from './overlay.ts'

export interface GutterParts {
  readonly view: EditorView
  readonly overlay: Overlay
  readonly book: AuthorBook
  readonly shown: Readable<boolean>
}

export function drawGutter({ view, overlay, book, shown }: GutterParts): () => void {
  const bars: HTMLElement[] = []
  const paint = () => {
    const segments = shown.get() ? segmentsOf(linesOf(view)) : []
    for (const [index, { actor, top, bottom }] of segments.entries()) {
      const bar = bars[index] ?? document.createElement('div')
      if (bars[index] === undefined) {
        bars.push(bar)
        bar.className = 'author-bar'
        overlay.element.append(bar)
      }
      const { y } = overlay.toLocal({ left: 0, top })
      bar.hidden = false
      bar.toggleAttribute('data-agent', !isHuman(actor))
      bar.style.setProperty('--by', `var(--author-${book.author(actor).hue})`)
      bar.style.setProperty('transform', `translateY(${y}px)`)
      bar.style.setProperty('height', `${bottom - top}px`)
    }
    for (const bar of bars.slice(segments.length)) bar.hidden = true
  }
  const stops = [
    overlay.onPaint(paint),
    shown.subscribe(overlay.invalidate),
    book.changes.subscribe(overlay.invalidate),
  ]
  return () => {
    for (const stop of stops) stop()
    for (const bar of bars) bar.remove()
  }
}

interface Line {
  readonly top: number
  bottom: number
  readonly widths: Map<string, number>
}

/** The lines on the screen with how wide each author's text is on them. */
function linesOf(view: EditorView): Line[] {
  const lines: Line[] = []
  for (const block of blocksOnScreen(view.dom.children)) {
    for (const run of block.querySelectorAll('[data-by]')) {
      const actor = run.getAttribute('data-by') ?? ''
      for (const { top, bottom, width } of run.getClientRects()) {
        if (bottom < 0 || top > window.innerHeight || width === 0) continue
        const line = lineAt(lines, top, bottom)
        line.widths.set(actor, (line.widths.get(actor) ?? 0) + width)
      }
    }
  }
  return lines
}

/** The line that these edges are of: text of another size on one line has other edges. */
function lineAt(lines: Line[], top: number, bottom: number): Line {
  const middle = (top + bottom) / 2
  const known = lines.findLast((line) => line.top <= middle && middle <= line.bottom)
  if (known !== undefined) return known
  const line: Line = { top, bottom, widths: new Map() }
  lines.push(line)
  return line
}

/** Of a list its items, so that nothing off the screen is measured. */
function* blocksOnScreen(blocks: HTMLCollection): Generator<Element> {
  for (let index = firstIndex(blocks, ({ bottom }) => bottom > 0); ; index++) {
    const block = blocks[index]
    if (block === undefined || block.getBoundingClientRect().top > window.innerHeight) return
    if (block.matches('ul, ol, li, .item-body')) yield* blocksOnScreen(block.children)
    else yield block
  }
}

interface Segment {
  readonly actor: string
  readonly top: number
  bottom: number
}

/** Lines that follow one another under the same author are one bar. */
function segmentsOf(lines: readonly Line[]): Segment[] {
  const segments: Segment[] = []
  for (const { top, bottom, widths } of lines.toSorted((a, b) => a.top - b.top)) {
    const [most] = [...widths].sort((a, b) => b[1] - a[1])
    if (most === undefined) continue
    const last = segments.at(-1)
    const joins = last?.actor === most[0] && top - last.bottom < (bottom - top) * 0.8
    if (last !== undefined && joins) last.bottom = bottom
    else segments.push({ actor: most[0], top, bottom })
  }
  return segments
}
