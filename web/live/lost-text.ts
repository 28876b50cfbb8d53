/**
 * What a copy holds that the service has not got, as text for its writer to take along: the blocks
 * in which it stands, with what is missing told apart.
 */
import * as Y from 'yjs'
import { idOf, insertionsOf } from '../internals/item-ids.ts'

export interface LostRun {
  readonly text: string
  readonly isLost: boolean
}

/** A block that held something the service has not got. */
export type LostBlock = readonly LostRun[]

export type LostBecause = 'refused' | 'locked' | 'too-large' | 'restored' | 'ended' | 'signed-out'

export interface LostText {
  readonly because: LostBecause
  readonly blocks: readonly LostBlock[]
}

/** Below which clock the service has everything of a client. */
export type Known = (client: number) => number

export function lostBlocks(fragment: Y.XmlFragment, known: Known): readonly LostBlock[] {
  const blocks: LostBlock[] = []
  const visit = (node: Y.XmlFragment | Y.XmlElement) => {
    const children = node.toArray()
    if (children.some((child) => child instanceof Y.XmlText)) {
      blocks.push(children.flatMap((child) => runsOf(child, known)))
      return
    }
    for (const child of children) {
      if (!(child instanceof Y.XmlElement)) continue
      if (child.length > 0) visit(child)
      else blocks.push(runsOf(child, known))
    }
  }
  visit(fragment)
  return blocks.map(joined).filter((runs) => runs.some(({ isLost, text }) => isLost && text.trim()))
}

/** The lost blocks as plain text. */
export const plainText = (blocks: readonly LostBlock[]): string =>
  blocks.map((runs) => runs.map(({ text }) => text).join('')).join('\n\n')

function runsOf(node: unknown, known: Known): readonly LostRun[] {
  if (node instanceof Y.XmlText) return textRuns(node, known)
  if (!(node instanceof Y.XmlElement)) return []
  const id = idOf(node)
  return [{ text: leafText(node), isLost: id !== undefined && id.clock >= known(id.client) }]
}

const textRuns = (text: Y.XmlText, known: Known): readonly LostRun[] =>
  insertionsOf(text).flatMap(({ id, chars }) => {
    const has = Math.max(0, Math.min(chars.length, known(id.client) - id.clock))
    return [
      { text: chars.slice(0, has), isLost: false },
      { text: chars.slice(has), isLost: true },
    ]
  })

function leafText(node: Y.XmlElement): string {
  const attribute = (name: string) => String(node.getAttribute(name) ?? '')
  switch (node.nodeName) {
    case 'hard_break':
      return '\n'
    case 'image':
      return `![${attribute('alt')}](${attribute('src')})`
    case 'html_block':
    case 'html_inline':
      return attribute('source')
    default:
      return ''
  }
}

function joined(runs: readonly LostRun[]): LostBlock {
  const out: LostRun[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (run.text === '') continue
    if (last?.isLost !== run.isLost) out.push(run)
    else out[out.length - 1] = { ...run, text: last.text + run.text }
  }
  return out
}
