/**
 * Bare URLs are drawn as links. In the document they are text: that is how the dialect has them.
 * Only the blocks that a change touched are looked at again, and in a long document only those
 * that are in sight or nearly: each key costs a walk over all that is drawn.
 */
import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { bareUrlsIn } from '../editor/commands/links.ts'

interface Drawn {
  /** The stretch of the document in which URLs are drawn. */
  readonly from: number
  readonly to: number
  readonly set: DecorationSet
}

const key = new PluginKey<Drawn>('bare-urls')
const longFromBlocks = 200
const aroundBlocks = 20
const lookAfterMs = 120

const isLong = (doc: Node): boolean => doc.childCount > longFromBlocks

function links(doc: Node, from: number, to: number): Decoration[] {
  const found: Decoration[] = []
  doc.nodesBetween(from, to, (node, pos) => {
    if (!node.inlineContent) return !node.isTextblock
    if (node.type.spec.code) return false
    for (const [start, end] of bareUrlsIn(node)) {
      const href = node.textBetween(start, end)
      found.push(
        Decoration.inline(pos + 1 + start, pos + 1 + end, {
          nodeName: 'a',
          class: 'bare-url',
          href,
          rel: 'noopener noreferrer nofollow',
          target: '_blank',
        }),
      )
    }
    return false
  })
  return found
}

function drawn(doc: Node, from: number, to: number): Drawn {
  return { from, to, set: DecorationSet.create(doc, links(doc, from, to)) }
}

const whole = (doc: Node): Drawn => drawn(doc, 0, isLong(doc) ? 0 : doc.content.size)

function redrawn(tr: Transaction, before: Drawn): Drawn {
  const { doc } = tr
  if (isLong(doc) !== isLong(tr.before)) return whole(doc)
  const from = tr.mapping.map(before.from, -1)
  const to = tr.mapping.map(before.to, 1)
  const set = before.set.map(tr.mapping, doc)
  const start = tr.before.content.findDiffStart(doc.content)
  const end = tr.before.content.findDiffEnd(doc.content)
  if (start === null || end === null) return { from, to, set }
  const first = Math.max(from, blockStart(doc, start))
  const last = Math.min(to, doc.content.size, Math.max(start, end.b) + 1)
  if (first >= last) return { from, to, set }
  return { from, to, set: set.remove(set.find(first, last)).add(doc, links(doc, first, last)) }
}

/** Where the text block that `pos` stands in begins; `pos` itself where it stands in none. */
function blockStart(doc: Node, pos: number): number {
  const $pos = doc.resolve(pos)
  return $pos.parent.inlineContent ? $pos.start() : pos
}

/** The top-level blocks in sight, and some around them. */
function inSight(view: EditorView): readonly [number, number] | undefined {
  const { left, right, top, bottom } = view.dom.getBoundingClientRect()
  const middle = (left + right) / 2
  const at = (y: number) => view.posAtCoords({ left: middle, top: y })?.pos
  const [first, last] = [at(Math.max(top + 1, 1)), at(Math.min(bottom, window.innerHeight) - 1)]
  if (first === undefined || last === undefined) return undefined
  const { doc } = view.state
  const from = Math.max(0, doc.resolve(first).index(0) - aroundBlocks)
  const to = Math.min(doc.childCount, doc.resolve(last).index(0) + 1 + aroundBlocks)
  const start = doc.resolve(0).posAtIndex(from)
  return [start, doc.resolve(start).posAtIndex(to)]
}

export function bareUrls(): Plugin<Drawn> {
  return new Plugin<Drawn>({
    key,
    state: {
      init: (_, { doc }) => whole(doc),
      apply(tr, before) {
        const sight = tr.getMeta(key) as readonly [number, number] | undefined
        if (sight !== undefined) return drawn(tr.doc, ...sight)
        return tr.docChanged ? redrawn(tr, before) : before
      },
    },
    props: { decorations: (state) => key.getState(state)?.set },
    view: (view) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const look = () => {
        timer = undefined
        if (view.isDestroyed || !isLong(view.state.doc)) return
        const sight = inSight(view)
        const now = key.getState(view.state)
        if (sight === undefined || now === undefined) return
        if (sight[0] >= now.from && sight[1] <= now.to) return
        view.dispatch(view.state.tr.setMeta(key, sight).setMeta('addToHistory', false))
      }
      const soon = () => {
        if (isLong(view.state.doc)) timer ??= setTimeout(look, lookAfterMs)
      }
      window.addEventListener('scroll', soon, { capture: true, passive: true })
      soon()
      return {
        update(updated, before) {
          if (updated.state.doc.childCount !== before.doc.childCount) soon()
        },
        destroy() {
          clearTimeout(timer)
          window.removeEventListener('scroll', soon, { capture: true })
        },
      }
    },
  })
}
