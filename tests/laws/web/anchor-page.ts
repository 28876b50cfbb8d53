/**
 * A document whose words stand there once each, the editor of a page on it, REST beside, and one
 * thread on some of the words: what becomes of it is told by looking where the words stand.
 */
import { Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { undo } from 'y-prosemirror'
import * as Y from 'yjs'
import type { Participant, RecordWriter, StoredRecord } from '../../../core/commit/participant.ts'
import { planning } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import { DocumentState, type StateChange } from '../../../core/documents/state/document-state.ts'
import { wordsIn } from '../../../core/documents/threads/naming-words.ts'
import { placedThread, type Range } from '../../../core/documents/threads/placed.ts'
import { Turns } from '../../../core/turns/turns.ts'
import { type ActorId, newCommentId, newThreadId, type ThreadId } from '../../../schema/ids.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { finish } from '../../../schema/steps.ts'
import type { Chance } from '../../chance.ts'
import { testRuntime } from '../../unit/core/tree-desk.ts'
import { PageWithoutDom } from '../../unit/web/page-without-dom.ts'

const ann = 'human:ann' as ActorId
const agent = 'ai:agent' as ActorId

/** Of five letters, so that none is a part of another; what is typed has two. */
const wordChars = 5

export class AnchorPage {
  #state: DocumentState
  #page: PageWithoutDom
  readonly #records = new Map<string, Map<string, StoredRecord>>()
  readonly #runtime: ReturnType<typeof testRuntime>
  #thread: ThreadId | undefined
  #revision = 1

  private constructor(state: DocumentState, runtime: ReturnType<typeof testRuntime>) {
    this.#state = state
    this.#runtime = runtime
    this.#page = this.#opened()
  }

  static async of(markdown: string, seed: number): Promise<AnchorPage> {
    const runtime = testRuntime(seed)
    const state = new DocumentState(runtime)
    await state.fill([...parseMarkdown(markdown).children], agent, new Turns(runtime))
    const page = new AnchorPage(state, runtime)
    for (const one of state.participants) {
      one.commit({ revision: 1, deleted: [], revived: [] }, page.#writer(one))
    }
    return page
  }

  get markdown(): string {
    return this.#state.text.toString()
  }

  get page(): PageWithoutDom {
    return this.#page
  }

  /** One thread, on words that stand there once. */
  anchor(quote: string): void {
    const { text, threads } = this.#state
    const from = text.toString().indexOf(quote)
    const named = from < 0 ? undefined : wordsIn(text, { from, to: from + quote.length })
    const anchor = named && threads.anchoring().range(named.from, named.to)
    if (anchor === undefined) throw new TypeError(`${quote} is not there`)
    const id = newThreadId(this.#runtime)
    const said = { by: ann, at: 0, revision: 1, text: 'Hm.', depth: 0 }
    const comments = [{ id: newCommentId(this.#runtime), n: 2, ...said }]
    const facts = { anchor, quote, lead: 0, trail: 0, changedRevision: 1 }
    threads.put({ id, n: 1, ...facts, comments }, this.#writer(threads))
    this.#thread = id
  }

  /** Where readers are told that it is; undefined: it is orphaned. */
  get place(): Range | undefined {
    const thread = this.#thread && this.#state.threads.get(this.#thread)
    return thread && placedThread(this.#state.text, thread).range
  }

  /** The position of words in the page's document. */
  posOf(words: string): number {
    let found = -1
    this.#page.state.doc.descendants((node, pos) => {
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
    const { tr } = this.#page.state
    what(tr)
    this.#page.dispatch(tr)
  }

  select(from: number, to = from): void {
    this.change((tr) => tr.setSelection(TextSelection.create(tr.doc, from, to)))
  }

  undo(): void {
    undo(this.#page.state)
    this.change((tr) => tr.setSelection(Selection.atStart(tr.doc)))
  }

  /** The top-level block that has the words: its index, and its id. */
  blockWith(words: string): { readonly index: number; readonly id: string } {
    const { doc } = this.#page.state
    const index = doc.children.findIndex(({ textContent }) => textContent.includes(words))
    return { index, id: String(doc.child(index).attrs['id']) }
  }

  /** As REST does, with whatever becomes of threads declared. */
  patch(edit: Readonly<Record<string, unknown>>): void {
    const { text, tombstones } = this.#state
    const edits = readEdits([edit])
    const plan = finish(
      planning({ text, revision: 1, baseRevision: 1, edits, actor: agent, tombstones }),
    )
    for (const change of finish(this.#state.applyOperations(plan.operations, agent))) {
      this.#commit(change)
    }
  }

  /** The service as it loads from what is stored; the page stays. */
  async restart(): Promise<void> {
    const state = new DocumentState(this.#runtime)
    for (const participant of state.participants) {
      participant.load([...(this.#records.get(participant.section)?.values() ?? [])])
    }
    const update = Y.encodeStateAsUpdate(this.#state.ydoc)
    await state.load([(ydoc) => Y.applyUpdate(ydoc, update)], new Turns(this.#runtime))
    this.#state = state
  }

  close(): void {
    this.#page.close()
  }

  #opened(): PageWithoutDom {
    const page = new PageWithoutDom({
      actor: ann,
      from: Y.encodeStateAsUpdate(this.#state.ydoc),
    })
    page.ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'service') this.#hear(update)
    })
    return page
  }

  #hear(update: Uint8Array): void {
    const { clientID } = this.#page.ydoc
    const own = { update, asSent: update, actor: ann, micros: 0 }
    const clients = [{ client: clientID }]
    const change = this.#state.applyUpdates([{ ...own, claims: [clientID], clients }])
    if (change !== undefined) this.#commit(change)
  }

  #commit({ updates, deleted, revived, came }: StateChange): void {
    this.#revision += 1
    for (const participant of this.#state.participants) {
      const write = { revision: this.#revision, deleted, revived, came }
      participant.commit(write, this.#writer(participant))
    }
    for (const update of updates) Y.applyUpdate(this.#page.ydoc, update, 'service')
  }

  #writer({ section }: Participant): RecordWriter {
    const records = this.#records.get(section) ?? new Map<string, StoredRecord>()
    this.#records.set(section, records)
    const key = (path: readonly (string | number)[]) => path.join('/')
    return {
      put: (path, value) => records.set(key(path), { path: path.map(String), value }),
      delete: (path) => records.delete(key(path)),
    }
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
