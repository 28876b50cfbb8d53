/**
 * Links that go by a definition follow it when somebody types in it: they get its address in the
 * same transaction, and so stay written by reference. Without it they would keep the old one, and
 * be written with it. Looks only at what is linked so; writes nothing where no definition changed.
 */
import type { Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { type Definitions, noDefinitions } from '../../../schema/markdown/definitions.ts'
import { definitionsIn } from '../../../schema/markdown/document-definitions.ts'
import {
  isLinking,
  linksFollow,
  type MovedTargets,
  movedTarget,
  movedTargets,
  type Redefined,
} from '../../../schema/markdown/followed-links.ts'
import { childrenOf, parentElement } from '../../../schema/yjs/children.ts'
import { textRuns } from '../../yjs/text-runs.ts'
import { touchedTypes, typingIn } from '../../yjs/touched.ts'
import { setAttribute } from './build.ts'
import type { Mirror } from './mirror.ts'

/** Blocks whose links follow; those of more keep their address and are written with it. */
const followMaxBlocks = 1_000

/** `before`: the definitions of the state before, of which `mirror` is. Expects a repaired tree. */
export function followDefinitions(
  transaction: Y.Transaction,
  mirror: Mirror,
  before: Definitions,
): void {
  if (before === noDefinitions || isElsewhere(transaction)) return
  const preview = mirror.preview(touchedTypes(transaction))
  const blocks: (readonly [Y.XmlElement, Node])[] = []
  for (const element of childrenOf(mirror.fragment)) {
    if (!(element instanceof Y.XmlElement)) continue
    const node = preview.get(element) ?? mirror.nodeOf(element)
    if (node !== undefined) blocks.push([element, node])
  }
  const now = definitionsIn(blocks.map(([, node]) => node))
  const moved = movedTargets(before, now)
  if (moved.size === 0) return
  const followers: Y.XmlElement[] = []
  for (const block of blocks) find(block, { moved, before, now }, followers)
  if (followers.length > followMaxBlocks) return
  for (const element of followers) retarget(element, moved)
}

/** Whether characters were typed, and in no definition. */
const isElsewhere = (transaction: Y.Transaction): boolean =>
  typingIn(transaction)?.texts.every(
    (text) => parentElement(text)?.nodeName !== 'link_definition',
  ) === true

function find(
  [element, node]: readonly [Y.XmlElement, Node],
  redefined: Redefined,
  found: Y.XmlElement[],
): void {
  if (isLinking(node)) {
    if (linksFollow(node, redefined)) found.push(element)
  } else if (!node.isTextblock) {
    const children = childrenOf(element).filter((child) => child instanceof Y.XmlElement)
    for (const [index, child] of children.entries()) {
      find([child, node.child(index)], redefined, found)
    }
  }
}

function retarget(element: Y.XmlElement, moved: MovedTargets): void {
  for (const child of childrenOf(element)) {
    if (child instanceof Y.XmlText) {
      const delta: object[] = []
      for (const { text, formats } of textRuns(child)) {
        const link = formats.get('link') as { href?: unknown; title?: unknown } | undefined
        const next = link && movedTarget(moved, link)
        delta.push({ retain: text.length, ...(next && { attributes: { link: { ...next } } }) })
      }
      child.applyDelta(delta)
    } else {
      const { href, hrefTitle: title } = child.getAttributes() as Record<string, unknown>
      const next = movedTarget(moved, { href, title })
      if (next !== undefined) {
        setAttribute(child, 'href', next.href)
        setAttribute(child, 'hrefTitle', next.title)
      }
      retarget(child, moved)
    }
  }
}
