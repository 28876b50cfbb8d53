/**
 * A document whose words stand there once each, the editor of a page on it, REST beside, and one
 * thread on some of the words: what becomes of it is told by looking where the words stand.
 */

import { Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { undo } from 'y-prosemirror'
import * as Y from 'yjs'
import { wordsIn } from '../../../core/documents/threads/naming-words.ts'
import { placedThread } from '../../../core/documents/threads/placed.ts'
import { type ActorId, newCommentId, newThreadId, type ThreadId } from '../../../schema/ids.ts'
import type { TextRange } from '../../../schema/markdown/printed.ts'
import type { Chance } from '../../chance.ts'
import { testRuntime } from '../../unit/core/documents/model/tree-desk.ts'
import { KeptState } from '../../unit/core/documents/state/kept-state.ts'
import { PageWithoutDom } from '../../unit/web/editor/binding/page-without-dom.ts'

const ann = 'human:ann' as ActorId

/** Of five letters, so that none is a part of another; what is typed has two. */
const wordChars = 5

export class AnchorPage {
  readonly #kept: KeptState
  readonly #runtime: ReturnType<typeof testRuntime>
  readonly page: PageWithoutDom
  #thread: ThreadId | undefined

  private constructor(kept: KeptState, runtime: ReturnType<typeof testRuntime>) {
    this.#kept = kept
    this.#runtime = runtime
    this.page = new PageWithoutDom({ actor: ann, from: Y.encodeStateAsUpdate(kept.now.ydoc) })
    kept.open(this.page.ydoc, ann)
  }

  static async of(markdown: string, seed: number): Promise<AnchorPage> {
    const runtime = testRuntime(seed)
    return new AnchorPage(await KeptState.of(markdown, runtime), runtime)
  }

  get markdown(): string {
    return this.#kept.now.text.toString()
  }

  /** One thread, on words that stand there once. */
  anchor(quote: string): void {
    const { text, threads } = this.#kept.now
    const from = text.toString().indexOf(quote)
    const named = from < 0 ? undefined : wordsIn(text, { from, to: from + quote.length })
    const anchor = named && threads.anchoring().range(named.from, named.to)
    if (anchor === undefined) throw new TypeError(`${quote} is not there`)
    const id = newThreadId(this.#runtime)
    const said = { by: ann, at: 0, revision: 1, text: 'Hm.', depth: 0 }
    const comments = [{ id: newCommentId(this.#runtime), n: 2, ...said }]
    const facts = { anchor, quote, lead: 0, trail: 0, changedRevision: 1 }
    threads.put({ id, n: 1, ...facts, comments }, this.#kept.writer(threads))
    this.#thread = id
  }

  /** Where readers are told that it is; undefined: it is orphaned. */
  get place(): TextRange | undefined {
    const thread = this.#thread && this.#kept.now.threads.get(this.#thread)
    return thread && placedThread(this.#kept.now.text, thread).range
  }

  /** The position of words in the page's document. */
  posOf(words: string): number {
    let found = -1
    this.page.state.doc.descendants((node, pos) => {
      if (found < 0 && node.isTextblock) {
        const at = node.textContent.indexOf(words)
        if (at >= 0) found = pos + 1 + at
      }
      return found < 0
    })
    if (found < 0) throw new TypeError(`${words} is not on the page`)
    return found
  }

  change(what: (tr: Transaction) => void): void {
    const { tr } = this.page.state
    what(tr)
    this.page.dispatch(tr)
  }

  select(from: number, to = from): void {
    this.change((tr) => tr.setSelection(TextSelection.create(tr.doc, from, to)))
  }

  undo(): void {
    undo(this.page.state)
    this.change((tr) => tr.setSelection(Selection.atStart(tr.doc)))
  }

  /** The top-level block that has the words: its index, and its id. */
  blockWith(words: string): { readonly index: number; readonly id: string } {
    const { doc } = this.page.state
    const index = doc.children.findIndex(({ textContent }) => textContent.includes(words))
    return { index, id: String(doc.child(index).attrs['id']) }
  }

  /** As REST does, with whatever becomes of threads declared. */
  patch(edit: Readonly<Record<string, unknown>>): void {
    this.#kept.patch(edit)
  }

  /** Somebody suggested this in place of words that stand there once, and it was accepted. */
  accept(quote: string, newString: string): void {
    const from = this.markdown.indexOf(quote)
    this.#kept.accept({ from, to: from + quote.length }, newString)
  }

  /** The service as it loads from what is stored; the page stays. */
  restart(): Promise<void> {
    return this.#kept.restart()
  }

  close(): void {
    this.page.close()
  }
}

/** Where in a text words are taken from. */
export interface Chosen {
  readonly markdown: string
  readonly words: readonly string[]
  /** The words of the same paragraph, item or cell, in front of them and behind. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export type Home = 'paragraph' | 'item' | 'cell'

/** A document of all kinds of blocks, and one to three words of one of them. */
export function chosenFrom(chance: Chance, home: Home): Chosen {
  let count = chance.below(1_000_000)
  const word = () => {
    let rest = ++count
    return Array.from({ length: wordChars }, () => {
      const letter = String.fromCharCode(97 + (rest % 25))
      rest = Math.floor(rest / 25)
      return letter
    }).join('')
  }
  const some = (least: number, most: number) =>
    Array.from({ length: chance.between(least, most) }, word)
  const own = home === 'cell' ? some(1, 3) : some(3, 9)
  const from = chance.below(own.length)
  const to = Math.min(own.length, from + chance.between(1, 3))
  const held = own.join(' ')
  const filled = (at: Home, least = 2, most = 6) =>
    at === home ? held : some(least, most).join(' ')
  const markdown = [
    `# ${some(1, 3).join(' ')}`,
    some(2, 6).join(' '),
    filled('paragraph'),
    some(2, 6).join(' '),
    `- ${some(1, 3).join(' ')}\n- ${filled('item', 1, 3)}\n- ${some(1, 3).join(' ')}`,
    `> ${some(2, 4).join(' ')}`,
    [
      `| ${word()} | ${word()} | ${word()} |\n| --- | --- | --- |`,
      `| ${word()} | ${filled('cell', 1, 2)} | ${word()} |`,
      `| ${word()} | ${word()} | ${word()} |`,
    ].join('\n'),
    some(2, 4).join(' '),
  ].join('\n\n')
  const words = own.slice(from, to)
  return { markdown: `${markdown}\n`, words, before: own.slice(0, from), after: own.slice(to) }
}
