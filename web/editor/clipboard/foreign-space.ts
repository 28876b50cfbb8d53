/**
 * Gaps of other programs: empty paragraphs, breaks beside blocks, and no-break spaces that are
 * there for the look. The page sets its own gaps. A no-break space between two words is meant.
 */
import { all } from './elements.ts'

const paragraphs = 'p, div, h1, h2, h3, h4, h5, h6, blockquote'
const blocks = `${paragraphs}, ul, ol, li, table, tbody, thead, tfoot, tr, td, th, pre, hr, dl, dt, dd,
  section, article, header, footer, main, aside, nav, figure, figcaption, style`
const contents = 'img, table, hr, pre, li, input, [data-html-inline]'

export function withoutGaps(root: HTMLElement): void {
  new Lines().take(root)
  const breaks = all(root, 'br').filter((line) => line.closest('pre') === null)
  for (const line of breaks) if (isAtEdge(line, root, 'previousSibling')) line.remove()
  for (const line of breaks.reverse()) if (isAtEdge(line, root, 'nextSibling')) line.remove()
  for (const paragraph of all(root, paragraphs).reverse()) {
    const isEmpty = paragraph.textContent?.trim() === ''
    if (isEmpty && paragraph.querySelector(contents) === null) paragraph.remove()
  }
}

/** Whether nothing of its line stands on that side of a break. */
function isAtEdge(
  line: HTMLElement,
  root: HTMLElement,
  side: 'previousSibling' | 'nextSibling',
): boolean {
  if (line.matches('.Apple-interchange-newline')) return true
  for (let at: Node = line; ; ) {
    for (let beside = at[side]; beside !== null; beside = beside[side]) {
      if (beside instanceof HTMLElement) return beside.matches(blocks)
      if (beside instanceof Text && beside.data.trim() !== '') return false
    }
    const parent = at.parentElement
    if (parent === null || parent === root || parent.matches(blocks)) return true
    at = parent
  }
}

const blanks = /[ \t\r\n\f\u00a0]+/g
/** French sets a no-break space before these, and behind an opening quote. */
const french = /^[:;!?»›%€]$/

/** Collects the texts of one line after another. */
class Lines {
  #texts: (Text | undefined)[] = []

  take(parent: HTMLElement): void {
    for (const child of parent.childNodes) {
      if (child instanceof Text) this.#texts.push(child)
      else if (!(child instanceof HTMLElement)) continue
      else if (child.matches('code, img')) this.#texts.push(undefined)
      else if (child.matches('br') || child.matches(blocks)) {
        this.#end()
        if (!child.matches('pre, style')) this.take(child)
        this.#end()
      } else this.take(child)
    }
    if (parent.matches(blocks)) this.#end()
  }

  #end(): void {
    const texts = this.#texts
    this.#texts = []
    const line = texts.map((text) => text?.data ?? '\ufffc').join('')
    if (!line.includes('\u00a0')) return
    const ends = new Set<number>()
    for (let at = 0, index = 0; index < texts.length; index++) {
      ends.add(at)
      at += texts[index]?.data.length ?? 1
      ends.add(at)
    }
    const meant = line.replace(blanks, (found, at: number) => {
      const [before, after] = [line[at - 1], line[at + found.length]]
      if (found !== '\u00a0' || before === undefined || after === undefined) {
        return ' '.repeat(found.length)
      }
      // Editors write one where a word ends and its element with it.
      const isWithin = !ends.has(at) && !ends.has(at + 1)
      return isWithin || french.test(after) || /[«‹]/.test(before) ? found : ' '
    })
    for (let at = 0, index = 0; index < texts.length; index++) {
      const text = texts[index]
      const end = at + (text?.data.length ?? 1)
      if (text !== undefined) text.data = meant.slice(at, end)
      at = end
    }
  }
}
