/**
 * How one's own changes are drawn: what is put in is underlined, what is taken away stands struck
 * before it, and what only looks otherwise has dots. What is struck is no text that one can write
 * in: it stays in the document as it is.
 */
import type { Node } from 'prosemirror-model'
import { Decoration } from 'prosemirror-view'
import { type Change, isAlike, isWithinText } from './changes.ts'
import type { Draft } from './draft.ts'

/** Names what is drawn, for who points at it. */
export const draftPrefix = 'draft-'
export const ownName = (id: number): string => `${draftPrefix}${id}`

export function ownMarks({ shared, changes }: Draft, doc: Node, hue: number): Decoration[] {
  return changes.flatMap((change) => marksOf(change, { shared, doc, hue }))
}

interface Drawn {
  readonly shared: Node
  readonly doc: Node
  readonly hue: number
}

function marksOf(change: Change, { shared, doc, hue }: Drawn): Decoration[] {
  const { id, from, to, at, end } = change
  const name = ownName(id)
  if (isOnlyLook(change, shared, doc)) return looks(change, doc, hue)
  const marks: Decoration[] = []
  if (from < to) {
    const words = wordsOf(shared, from, to)
    const isInText = doc.resolve(at).parent.inlineContent
    if (words !== '') {
      const key = `${name} out ${isInText ? '' : 'blocks '}${words}`
      const look = isInText ? 'proposed-out' : 'proposed-out proposed-blocks'
      const draw = () => drawn(words, { name, look, hue, role: 'deletion' })
      // Before the caret, so that what takes its place comes behind it.
      marks.push(Decoration.widget(at, draw, { side: -1, key, ignoreSelection: true, marks: [] }))
    }
  }
  if (at < end) {
    const attributes = {
      class: 'proposed proposed-in',
      role: 'insertion',
      'data-suggestion': name,
      'data-hue': String(hue),
    }
    marks.push(Decoration.inline(at, end, attributes, { inclusiveEnd: true }))
    for (const pos of breaksIn(doc, at, end)) {
      const draw = () => drawn('¶', { name, look: 'proposed-break', hue })
      marks.push(Decoration.widget(pos, draw, { side: -1, key: `${name} break`, marks: [] }))
    }
  }
  return marks
}

/** The words are the same; they, or their block, are to look otherwise. */
function isOnlyLook({ from, to, at, end }: Change, shared: Node, doc: Node): boolean {
  if (from === to || to - from !== end - at) return false
  const [old, now] = [shared.slice(from, to), doc.slice(at, end)]
  const words = (content: typeof old) =>
    content.content.textBetween(0, content.content.size, '\n', '\ufffc')
  return words(old) === words(now) && !isAlike(old.content, now.content)
}

function looks(change: Change, doc: Node, hue: number): Decoration[] {
  const { id, at, end } = change
  const attributes = {
    class: 'proposed proposed-look',
    'data-suggestion': ownName(id),
    'data-hue': String(hue),
  }
  if (isWithinText(change, doc, doc)) return [Decoration.inline(at, end, attributes)]
  const $at = doc.resolve(at)
  const isBefore = $at.nodeAfter?.isBlock === true
  const pos = isBefore || $at.depth === 0 ? at : $at.before()
  const node = doc.nodeAt(pos)
  return node === null ? [] : [Decoration.node(pos, pos + node.nodeSize, attributes)]
}

const wordsOf = (doc: Node, from: number, to: number): string =>
  doc.textBetween(from, to, '¶\n', (leaf) =>
    leaf.type.name === 'hard_break' ? '↵' : `[${leaf.attrs['alt'] || leaf.type.name}]`,
  )

/** Where the text blocks begin that come with a change. */
function breaksIn(doc: Node, at: number, end: number): number[] {
  const breaks: number[] = []
  doc.nodesBetween(at, Math.min(end, doc.content.size), (node, pos) => {
    if (!node.isTextblock) return true
    const start = pos + 1
    if (start > at && start <= end) breaks.push(start)
    return false
  })
  return breaks
}

export interface Look {
  readonly name: string
  /** Its class. */
  readonly look: string
  readonly hue: number
  readonly role?: 'insertion' | 'deletion'
}

/** Words that are no text of the page: nobody writes in them. */
export function drawn(words: string, { name, look, hue, role }: Look): HTMLElement {
  const element = document.createElement('span')
  element.className = `proposed ${look}`
  element.contentEditable = 'false'
  element.dataset['suggestion'] = name
  element.dataset['hue'] = String(hue)
  if (role === undefined) element.setAttribute('aria-hidden', 'true')
  else element.setAttribute('role', role)
  element.textContent = words
  return element
}
