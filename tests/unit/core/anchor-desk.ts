/** A real state with one anchored quote, an editor beside it with undo, and a store of records. */
import * as assert from 'uvu/assert'
import * as Y from 'yjs'
import type { Participant, RecordWriter, StoredRecord } from '../../../core/commit/participant.ts'
import { planning } from '../../../core/documents/edits/plan/plan.ts'
import { readEdits } from '../../../core/documents/edits/request/edit.ts'
import type { StateChange } from '../../../core/documents/state/document-state.ts'
import { DocumentState } from '../../../core/documents/state/document-state.ts'
import { Anchoring } from '../../../core/documents/threads/anchoring.ts'
import { wordsIn } from '../../../core/documents/threads/naming-words.ts'
import { placedThread } from '../../../core/documents/threads/placed.ts'
import type { Thread } from '../../../core/documents/threads/thread.ts'
import { Turns } from '../../../core/turns/turns.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import type { ActorId, CommentId, ThreadId } from '../../../schema/ids.ts'
import { findingText } from '../../../schema/markdown/matching.ts'
import { parseMarkdown } from '../../../schema/markdown/parser.ts'
import { finish } from '../../../schema/steps.ts'
import { testRuntime } from './tree-desk.ts'

const ann = 'human:ann' as ActorId
const agent = 'ai:agent' as ActorId
const threadId = 'thr_one' as ThreadId
const commentId = '00000000-0000-4000-8000-000000000001' as CommentId

export class AnchorDesk {
  #state: DocumentState
  readonly #editor = new Y.Doc()
  readonly #undo: Y.UndoManager
  readonly #records = new Map<string, Map<string, StoredRecord>>()
  #revision = 1

  private constructor(state: DocumentState) {
    this.#state = state
    const fragment = this.#editor.getXmlFragment(fragmentName)
    Y.applyUpdate(this.#editor, Y.encodeStateAsUpdate(state.ydoc), 'service')
    this.#undo = new Y.UndoManager(fragment, {
      captureTimeout: 0,
      trackedOrigins: new Set(['own']),
    })
    this.#editor.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'service') this.#hear(update)
    })
  }

  static async of(markdown: string, quote: string): Promise<AnchorDesk> {
    const runtime = testRuntime()
    const state = new DocumentState(runtime)
    await state.fill([...parseMarkdown(markdown).children], agent, new Turns(runtime))
    const desk = new AnchorDesk(state)
    for (const participant of state.participants) {
      participant.commit({ revision: 1, deleted: [], revived: [] }, desk.#writer(participant))
    }
    const { matches, total } = finish(findingText(state.text, quote, {}))
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
    state.threads.put(thread, desk.#writer(state.threads))
    return desk
  }

  get thread(): Thread {
    const thread = this.#state.threads.get(threadId)
    assert.ok(thread)
    return thread
  }

  /** Null: it is orphaned. */
  get text() {
    return this.#state.text.toString()
  }
  get words(): string | null {
    const { anchor } = this.thread
    return anchor.isLost ? null : anchor.words
  }

  /** The markdown that readers are told. */
  get read(): string | null {
    const { range } = placedThread(this.#state.text, this.thread)
    return range ? this.#state.text.slice(range.from, range.to) : null
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
    const edits = readEdits([{ replace_document: markdown }])
    const { text, tombstones } = this.#state
    const plan = finish(
      planning({ text, revision: 1, baseRevision: 1, edits, actor: agent, tombstones }),
    )
    for (const change of finish(this.#state.applyOperations(plan.operations, agent))) {
      this.#commit(change)
    }
  }

  /** The state as it loads from what is stored. */
  async restart(): Promise<void> {
    const runtime = testRuntime(2)
    const state = new DocumentState(runtime)
    for (const participant of state.participants) {
      const records = this.#records.get(participant.section) ?? new Map()
      participant.load([...records.values()])
    }
    const update = Y.encodeStateAsUpdate(this.#state.ydoc)
    await state.load([(ydoc) => Y.applyUpdate(ydoc, update)], new Turns(runtime))
    this.#state = state
  }

  #hear(update: Uint8Array): void {
    const clients = [{ client: this.#editor.clientID, clock: 0 }]
    const entry = {
      update,
      asSent: update,
      actor: ann,
      claims: [this.#editor.clientID],
      clients,
      micros: 0,
    }
    const change = this.#state.applyUpdates([entry as never])
    if (change !== undefined) this.#commit(change)
  }

  #commit({ updates, deleted, revived, came }: StateChange): void {
    this.#revision += 1
    for (const participant of this.#state.participants) {
      const write = { revision: this.#revision, deleted, revived, came }
      participant.commit(write, this.#writer(participant))
    }
    for (const update of updates) Y.applyUpdate(this.#editor, update, 'service')
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
