/**
 * Inline tokens to inline nodes. Emphasis nested in its like counts once; leaves carry no marks, a
 * link around one becomes its attribute; a soft break is a newline in the text, a blank in one-line
 * blocks; an empty link shows its address.
 */
import type { Token } from 'markdown-it'
import { Mark, type MarkType, type Node } from 'prosemirror-model'
import { documentSchema } from '../document-schema.ts'
import { flatAddress, flatText } from './addresses.ts'
import { hasKnownName, isBreakTag, unfoldedLines } from './html.ts'

const { nodes, marks } = documentSchema

const emphasis: Readonly<Record<string, MarkType>> = {
  em: marks.em,
  strong: marks.strong,
  s: marks.strike,
}

/** The nodes of one `inline` token; `oneLine` for headings and table cells. */
export function inlineContent(tokens: readonly Token[], oneLine: boolean): Node[] {
  const builder = new InlineBuilder(oneLine)
  tokens.forEach((token, index) => {
    builder.take(token, tokens, index)
  })
  return builder.finish()
}

class InlineBuilder {
  readonly #oneLine: boolean
  readonly #content: Node[] = []
  readonly #depth = new Map<string, number>()
  #marks: readonly Mark[] = Mark.none
  #text = ''

  constructor(oneLine: boolean) {
    this.#oneLine = oneLine
  }

  take(token: Token, tokens: readonly Token[], index: number): void {
    switch (token.type) {
      case 'text':
        this.#text += token.content
        break
      case 'softbreak':
        this.#text += this.#oneLine ? ' ' : '\n'
        break
      case 'hardbreak':
        this.#leaf(nodes.hard_break.create())
        break
      case 'code_inline':
        this.#flush()
        this.#content.push(
          documentSchema.text(token.content, marks.code.create().addToSet(this.#marks)),
        )
        break
      case 'html_inline':
        this.#html(token.content)
        break
      case 'image':
        this.#leaf(nodes.image.create({ ...imageAttributes(token), ...this.#linkOfLeaf() }))
        break
      case 'link_open':
        this.#openLink(token, tokens, index)
        break
      case 'link_close':
        this.#setMarks(marks.link.removeFromSet(this.#marks))
        break
      default:
        this.#emphasis(token)
    }
  }

  finish(): Node[] {
    this.#flush()
    while (this.#content.at(-1)?.type === nodes.hard_break) this.#content.pop()
    return this.#content
  }

  #emphasis(token: Token): void {
    const mark = emphasis[token.tag]
    if (mark === undefined) throw new TypeError(`unexpected inline token: ${token.type}`)
    const before = this.#depth.get(token.tag) ?? 0
    const after = before + token.nesting
    this.#depth.set(token.tag, after)
    if (before === 0) this.#setMarks(mark.create().addToSet(this.#marks))
    else if (after === 0) this.#setMarks(mark.removeFromSet(this.#marks))
  }

  #openLink(token: Token, tokens: readonly Token[], index: number): void {
    const href = flatAddress(token.attrGet('href') ?? '')
    const title = flatText(token.attrGet('title') ?? '')
    this.#setMarks(marks.link.create({ href, title }).addToSet(this.#marks))
    const next = tokens[index + 1]
    const blank = next?.type === 'text' && next.content.trim() === ''
    const close = blank ? tokens[index + 2] : next
    if (close?.type === 'link_close') this.#text += href || title
  }

  #html(content: string): void {
    if (isBreakTag(content)) this.#leaf(nodes.hard_break.create())
    else if (!hasKnownName(content)) this.#text += unfoldedLines(content)
    else {
      const attrs = { source: unfoldedLines(content), ...this.#linkOfLeaf() }
      this.#leaf(nodes.html_inline.create(attrs))
    }
  }

  #linkOfLeaf(): { href: string | null; hrefTitle: string } {
    const link = this.#marks.find((mark) => mark.type === marks.link)
    if (link === undefined) return { href: null, hrefTitle: '' }
    return { href: link.attrs['href'] as string, hrefTitle: link.attrs['title'] as string }
  }

  #leaf(node: Node): void {
    this.#flush()
    this.#content.push(node)
  }

  #setMarks(next: readonly Mark[]): void {
    this.#flush()
    this.#marks = next
  }

  #flush(): void {
    if (this.#text === '') return
    const last = this.#content.at(-1)
    const text = documentSchema.text(this.#text, this.#marks)
    this.#text = ''
    if (last?.isText && Mark.sameSet(last.marks, text.marks)) {
      this.#content.pop()
      this.#content.push(documentSchema.text(`${last.text}${text.text}`, text.marks))
    } else this.#content.push(text)
  }
}

function imageAttributes(token: Token) {
  return {
    src: flatAddress(token.attrGet('src') ?? ''),
    alt: flatText(alternativeText(token.children ?? [])),
    title: flatText(token.attrGet('title') ?? ''),
  }
}

/** What an image's label shows: its text without any markup. */
function alternativeText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'image') return alternativeText(token.children ?? [])
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      if (token.type !== 'html_inline') return token.content
      return hasKnownName(token.content) ? '' : token.content
    })
    .join('')
}
