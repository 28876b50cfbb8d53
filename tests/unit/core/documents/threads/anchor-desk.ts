/** A real state with one anchored quote, an editor beside it with undo, and a store of records. */
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import { Anchoring } from '../../../../../core/documents/threads/anchoring.ts'
import { wordsIn } from '../../../../../core/documents/threads/naming-words.ts'
import { placedThread } from '../../../../../core/documents/threads/placed.ts'
import type { Thread } from '../../../../../core/documents/threads/thread.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import type { ActorId, CommentId, ThreadId } from '../../../../../schema/ids.ts'
import { findText } from '../../../../../schema/markdown/matching.ts'
import { testRuntime } from '../model/tree-desk.ts'
import { KeptState } from '../state/kept-state.ts'

const ann = 'human:ann' as ActorId
const threadId = 'thr_one' as ThreadId
const commentId = '00000000-0000-4000-8000-000000000001' as CommentId

export class AnchorDesk {
  readonly #kept: KeptState
  readonly #editor = new Y.Doc()
  readonly #undo: Y.UndoManager

  private constructor(kept: KeptState) {
    this.#kept = kept
    const fragment = this.#editor.getXmlFragment(fragmentName)
    kept.open(this.#editor, ann)
    this.#undo = new Y.UndoManager(fragment, {
      captureTimeout: 0,
      trackedOrigins: new Set(['own']),
    })
  }

  static async of(markdown: string, quote: string): Promise<AnchorDesk> {
    const kept = await KeptState.of(markdown, testRuntime())
    const desk = new AnchorDesk(kept)
    const state = kept.now
    const { matches, total } = findText(state.text, quote, {})
    const [match] = matches
    assert.ok(total >= 1 && match)
    const named = wordsIn(state.text, match)
    assert.ok(named)
    const anchoring = new Anchoring(state, { touched: new Set(), before: new Map() })
    const anchor = anchoring.range(named.from, named.to)
    assert.ok(anchor)
    const comment = {
      id: commentId,
      n: 2,
      by: ann,
      at: 0,
      revision: 1,
      text: 'Hm.',
      depth: 0,
    }
    const { lead, trail } = named
    const facts = { anchor, quote, lead, trail, changedRevision: 1 }
    const thread = { id: threadId, n: 1, ...facts, comments: [comment] }
    state.threads.put(thread, kept.writer(state.threads))
    return desk
  }

  get thread(): Thread {
    const thread = this.#kept.now.threads.get(threadId)
    assert.ok(thread)
    return thread
  }

  /** Null: it is orphaned. */
  get text() {
    return this.#kept.now.text.toString()
  }
  get words(): string | null {
    const { anchor } = this.thread
    return anchor.isLost ? null : anchor.words
  }

  /** The markdown that readers are told. */
  get read(): string | null {
    const { range } = placedThread(this.#kept.now.text, this.thread)
    return range ? this.#kept.now.text.slice(range.from, range.to) : null
  }

  get end(): number {
    const { anchor } = this.thread
    return anchor.scope === 'range' ? anchor.to.offset : 0
  }

  get #fragment(): Y.XmlFragment {
    return this.#editor.getXmlFragment(fragmentName)
  }

  #textAt(block: number): Y.XmlText {
    let at = this.#fragment.get(block) as Y.XmlElement | Y.XmlText
    while (at instanceof Y.XmlElement) at = at.get(0) as Y.XmlElement | Y.XmlText
    return at
  }

  #act(change: () => void): void {
    this.#undo.stopCapturing()
    this.#editor.transact(change, 'own')
  }

  type(at: number, text: string, block = 0): void {
    this.#act(() => this.#textAt(block).insert(at, text))
  }

  erase(from: number, to: number, block = 0): void {
    this.#act(() => this.#textAt(block).delete(from, to - from))
  }

  removeBlock(block: number): void {
    this.#act(() => this.#fragment.delete(block, 1))
  }

  /** As an editor's binding does: what is behind goes into a new block. */
  split(block: number, at: number): void {
    this.#act(() => {
      const text = this.#textAt(block)
      const rest = text
        .toString()
        .replace(/<[^>]*>/g, '')
        .slice(at)
      text.delete(at, text.length - at)
      const paragraph = new Y.XmlElement('paragraph')
      paragraph.setAttribute('id', 'bid_00000000000split')
      paragraph.insert(0, [new Y.XmlText(rest)])
      this.#fragment.insert(block + 1, [paragraph])
    })
  }

  /** The next block goes into this one. */
  join(block: number): void {
    this.#act(() => {
      const text = this.#textAt(block)
      const rest = this.#textAt(block + 1)
        .toString()
        .replace(/<[^>]*>/g, '')
      this.#fragment.delete(block + 1, 1)
      text.insert(text.length, rest)
    })
  }

  undo(): void {
    this.#undo.undo()
  }

  /** As `replace_document` does. */
  replaceAll(markdown: string): void {
    this.#kept.patch({ replace_document: markdown })
  }

  /** The state as it loads from what is stored. */
  restart(): Promise<void> {
    return this.#kept.restart()
  }
}
