/**
 * What a suggestion would change, as it is read: the words of both texts without their markdown, in
 * stretches of one look each. Words that only look otherwise afterwards go and come as well. Pure.
 */
import type { Node } from 'prosemirror-model'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { besideChars, comparedMaxChars, type Part, wordRegions } from './changed-words.ts'

/** Names of marks, `heading` and `code`, in order. */
export interface Run {
  readonly text: string
  readonly looks: readonly string[]
  /** Of a link. */
  readonly href?: string
}

export interface RenderedPart {
  readonly is: Part['is']
  readonly runs: readonly Run[]
}

/** A text with the look of each of its characters, as one string. */
interface Rendered {
  text: string
  readonly looks: string[]
}

const linkLook = 'link '

export function renderedChanges(old: string, now: string): readonly RenderedPart[] {
  const [before, after] = [rendered(old), rendered(now)]
  const parts: RenderedPart[] = []
  const put = (is: Part['is'], of: Rendered, from: number, to: number) => {
    if (to > from) parts.push({ is, runs: runsIn(of, from, to) })
  }
  const isLong = Math.max(before.text.length, after.text.length) > comparedMaxChars
  const regions = isLong ? [] : changesOf(before, after)
  const [first] = regions
  if (first === undefined) {
    put('gone', before, 0, before.text.length)
    put('come', after, 0, after.text.length)
    return parts
  }
  let at = 0
  const keep = (to: number, isLast: boolean) => {
    const [ahead, behind] = [parts.length === 0 ? 0 : besideChars, isLast ? 0 : besideChars]
    if (to - at <= ahead + behind + 1) return put('kept', before, at, to)
    const cut: Run = { text: '…', looks: [] }
    const runs = [runsIn(before, at, at + ahead), cut, runsIn(before, to - behind, to)].flat()
    parts.push({ is: 'kept', runs })
  }
  for (const { from, to, nextFrom, nextTo } of regions) {
    keep(from, false)
    put('gone', before, from, to)
    put('come', after, nextFrom, nextTo)
    at = to
  }
  keep(before.text.length, true)
  return parts
}

interface Region {
  readonly from: number
  readonly to: number
  readonly nextFrom: number
  readonly nextTo: number
}

/** Where words differ, and where the same words look otherwise. */
function changesOf(before: Rendered, after: Rendered): readonly Region[] {
  const all: Region[] = []
  let [at, next] = [0, 0]
  const compare = (end: number) => {
    for (; at < end; at++, next++) {
      if (before.looks[at] === after.looks[next]) continue
      const from = at
      while (at + 1 < end && before.looks[at + 1] !== after.looks[next + at + 1 - from]) at += 1
      const length = at + 1 - from
      all.push({ from, to: from + length, nextFrom: next, nextTo: next + length })
      next += length - 1
    }
  }
  for (const region of wordRegions(before.text, after.text)) {
    compare(region.from)
    all.push(region)
    ;[at, next] = [region.to, region.nextTo]
  }
  compare(before.text.length)
  return all
}

function runsIn({ text, looks }: Rendered, from: number, to: number): readonly Run[] {
  const runs: Run[] = []
  for (let at = from; at < to; ) {
    const look = looks[at] ?? ''
    let end = at + 1
    while (end < to && looks[end] === look) end += 1
    const names = look.split('\n').filter((name) => name !== '')
    const href = names.find((name) => name.startsWith(linkLook))?.slice(linkLook.length)
    const plain = names.map((name) => (name.startsWith(linkLook) ? 'link' : name))
    runs.push({ text: text.slice(at, end), looks: plain, ...(href !== undefined && { href }) })
    at = end
  }
  return runs
}

function rendered(markdown: string): Rendered {
  const result: Rendered = { text: '', looks: [] }
  addBlocks(result, parseMarkdown(markdown, { start: false }))
  return result
}

function add(to: Rendered, words: string, looks: readonly string[] = []): void {
  to.text += words
  const look = looks.join('\n')
  for (let at = 0; at < words.length; at++) to.looks.push(look)
}

function addBlocks(to: Rendered, parent: Node): void {
  parent.forEach((block, _, index) => {
    if (index > 0) add(to, parent.type.name === 'table_row' ? ' | ' : '\n')
    if (block.type.name === 'list_item') add(to, signOf(parent, block, index))
    if (block.inlineContent) addInline(to, block)
    else if (block.isLeaf) add(to, block.type.name === 'horizontal_rule' ? '———' : '')
    else addBlocks(to, block)
  })
}

function signOf({ type, attrs }: Node, item: Node, index: number): string {
  const checked: unknown = item.attrs['checked']
  if (typeof checked === 'boolean') return checked ? '☑ ' : '☐ '
  return type.name === 'ordered_list' ? `${Number(attrs['order'] ?? 1) + index}. ` : '• '
}

const blockLooks: Readonly<Record<string, string>> = {
  heading: 'heading',
  code_block: 'code',
  front_matter: 'code',
  html_block: 'code',
}

function addInline(to: Rendered, block: Node): void {
  const around = blockLooks[block.type.name]
  block.forEach((node) => {
    const marks = node.marks.filter(({ type }) => type.name !== 'authored')
    const names = marks.map(({ type, attrs }) =>
      type.name === 'link' ? `${linkLook}${String(attrs['href'])}` : type.name,
    )
    const looks = around === undefined ? names : [around, ...names]
    if (node.isText) add(to, node.text ?? '', looks)
    else if (node.type.name === 'hard_break') add(to, '\n')
    else add(to, String(node.attrs['alt'] || 'image'), looks)
  })
}
