/**
 * A revision as the page draws it, not to be changed, with its changes marked: what came is
 * underlined on its author's tint, what is gone struck through where it stood.
 */
import type { Node } from 'prosemirror-model'
import { EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { isHuman } from '../authors/author-book.ts'
import { callouts } from '../editor/callouts.ts'
import { highlighting } from '../editor/highlighting.ts'
import { nodeViewsFor } from '../editor/node-views/node-views.ts'
import { scrollsSideways } from '../editor/sideways.ts'
import { longFromBlocks } from '../editor/viewport/block-groups.ts'
import type { ChangePlace } from './change-places.ts'
import { goneBlocks, goneWords } from './gone-words.ts'

/** How an author is shown. */
export interface AuthorSigns {
  readonly name: string
  readonly hue: number
}

export interface ShownText {
  readonly slug: string
  readonly doc: Node
  readonly changes: readonly ChangePlace[]
  signs(author: string): AuthorSigns
}

export interface Shown {
  /** Authors are known by other names or hues now. */
  refresh(): void
  destroy(): void
}

/** Draws it into the element. */
export function showText(place: HTMLElement, { slug, doc, changes, signs }: ShownText): Shown {
  const mark = () => {
    const decorations = changes.flatMap((change) => drawn(doc, change, signs))
    return DecorationSet.create(doc, decorations)
  }
  let marked = mark()
  const view = new EditorView(place, {
    state: EditorState.create({
      doc,
      plugins: [
        ...highlighting(),
        callouts(),
        scrollsSideways(),
        new Plugin({ props: { decorations: () => marked } }),
      ],
    }),
    editable: () => false,
    nodeViews: nodeViewsFor(slug),
    attributes: {
      class: doc.childCount > longFromBlocks ? 'text text-long' : 'text',
      role: 'document',
      'aria-label': 'Text of this version',
      translate: 'yes',
    },
    dispatchTransaction(tr) {
      if (!tr.docChanged) view.updateState(view.state.apply(tr))
    },
  })
  return {
    refresh() {
      marked = mark()
      view.updateState(view.state)
    },
    destroy: () => view.destroy(),
  }
}

function drawn(doc: Node, change: ChangePlace, signs: ShownText['signs']): Decoration[] {
  const { name, hue } = signs(change.author)
  const by = {
    style: `--by: var(--author-${hue})`,
    ...(isHuman(change.author) ? {} : { 'data-agent': '' }),
  }
  switch (change.kind) {
    case 'came': {
      const said = { class: 'rev-came', title: `Added by ${name}`, ...by }
      return [Decoration.inline(change.from, change.to, said), ...leaves(doc, change, said)]
    }
    case 'shaped': {
      const said = { class: 'rev-shaped', title: `Changed by ${name}`, ...by }
      return [Decoration.node(change.from, change.to, said)]
    }
    case 'gone': {
      const { pos, text, isBlock } = change
      const draw = () => {
        const parent = doc.resolve(pos).parent
        const element = isBlock ? goneBlocks(text, parent) : goneWords(text)
        element.title = `Deleted by ${name}`
        element.setAttribute('style', by.style)
        element.toggleAttribute('data-agent', 'data-agent' in by)
        return element
      }
      return [Decoration.widget(pos, draw, { side: -1, marks: [], ignoreSelection: true })]
    }
  }
}

/** Blocks without text that are in a stretch: a line, an image. */
function leaves(
  doc: Node,
  { from, to }: { readonly from: number; readonly to: number },
  said: Readonly<Record<string, string>>,
): Decoration[] {
  const found: Decoration[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    if (node.isBlock && node.isLeaf) found.push(Decoration.node(pos, pos + node.nodeSize, said))
    return !node.isTextblock
  })
  return found
}
