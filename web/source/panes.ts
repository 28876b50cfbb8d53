/** The page and its source as panes that scroll together. */
import type { EditorView as CodeView } from '@codemirror/view'
import type { EditorView as PageView } from 'prosemirror-view'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import { coveredTop } from '../platform/docked.ts'
import type { Pane } from './scroll-together.ts'
import type { SourceText } from './source-text.ts'

/** The page scrolls with the window. */
export function pagePane(view: PageView): Pane {
  const edge = (index: number): number => {
    const { doc } = view.state
    const last = index >= doc.childCount
    let pos = 0
    for (let at = 0; at < (last ? doc.childCount - 1 : index); at++) pos += doc.child(at).nodeSize
    const block = view.nodeDOM(pos)
    const box = block instanceof HTMLElement ? block.getBoundingClientRect() : new DOMRect()
    return last ? box.bottom : box.top
  }
  const blockTop = (index: number) => edge(index) - coveredTop() + window.scrollY
  return {
    scroller: window,
    content: view.dom,
    top: () => window.scrollY,
    scrollTo: (top) => window.scrollTo({ top, behavior: 'instant' }),
    blockTop,
    topBlock() {
      const { doc } = view.state
      const { from } = visibleRange(view, -coveredTop())
      const index = from >= doc.content.size ? doc.childCount : doc.resolve(from).index(0)
      // Between two blocks one is still at the upper.
      return blockTop(index) > window.scrollY ? index - 1 : index
    },
    isShown: () => view.dom.getClientRects().length > 0,
  }
}

export function sourcePane(view: CodeView, text: SourceText): Pane {
  const { scrollDOM: scroller } = view
  const blockTop = (index: number) => {
    const { doc } = view.state
    const line = view.lineBlockAt(Math.min(text.blockStart(index), doc.length))
    return view.documentPadding.top + (index < text.blockCount ? line.top : line.bottom)
  }
  return {
    scroller,
    content: view.contentDOM,
    top: () => scroller.scrollTop,
    scrollTo(top) {
      scroller.scrollTo({ top, behavior: 'instant' })
      // CodeMirror ignores a scroll until the browser has told it that the editor is in sight.
      view.requestMeasure()
    },
    blockTop,
    topBlock() {
      const height = scroller.scrollTop - view.documentPadding.top
      if (height < 0) return -1
      return text.blockAt(view.lineBlockAtHeight(height).from)
    },
    isShown: () => scroller.getClientRects().length > 0,
  }
}
