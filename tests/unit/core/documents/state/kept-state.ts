/**
 * A real state and the records that are kept of it: it hears editors and edits, commits what came
 * of them as the service does, and is loaded anew from what is kept.
 */
import * as Y from 'yjs'
import type {
  Participant,
  RecordWriter,
  StoredRecord,
} from '../../../../../core/commit/participant.ts'
import { planEdits } from '../../../../../core/documents/edits/plan/plan.ts'
import { type Edit, readEdits } from '../../../../../core/documents/edits/request/edit.ts'
import {
  DocumentState,
  type StateChange,
} from '../../../../../core/documents/state/document-state.ts'
import { followReplaced } from '../../../../../core/documents/threads/replaced.ts'
import type { ActorId } from '../../../../../schema/ids.ts'
import { parseMarkdown } from '../../../../../schema/markdown/parser.ts'
import type { TextRange } from '../../../../../schema/markdown/printed.ts'
import { fillState } from '../../../../filled-state.ts'
import type { testRuntime } from '../model/tree-desk.ts'

/** Whose updates are sent on to, in the order of commits. */
type Listener = (update: Uint8Array) => void

const agent = 'ai:agent' as ActorId

export class KeptState {
  #state: DocumentState
  readonly #runtime: ReturnType<typeof testRuntime>
  readonly #records = new Map<string, Map<string, StoredRecord>>()
  readonly #listeners: Listener[] = []
  #revision = 1

  private constructor(state: DocumentState, runtime: ReturnType<typeof testRuntime>) {
    this.#state = state
    this.#runtime = runtime
  }

  /** What the agent created. */
  static async of(markdown: string, runtime: ReturnType<typeof testRuntime>): Promise<KeptState> {
    const state = new DocumentState(runtime)
    const nodes = parseMarkdown(markdown).children
    await fillState(state, { nodes, author: agent, runtime })
    const kept = new KeptState(state, runtime)
    for (const one of state.participants) {
      one.commit({ revision: 1, deleted: [], revived: [] }, kept.writer(one))
    }
    return kept
  }

  /** Another after a restart. */
  get now(): DocumentState {
    return this.#state
  }

  /** An editor's copy: it has what is there, hears what is committed and is heard. */
  open(ydoc: Y.Doc, actor: ActorId): void {
    Y.applyUpdate(ydoc, Y.encodeStateAsUpdate(this.#state.ydoc), 'service')
    this.#listeners.push((update) => Y.applyUpdate(ydoc, update, 'service'))
    ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'service') this.#hear(update, ydoc.clientID, actor)
    })
  }

  /** As REST does, with whatever becomes of threads declared; false: it changes nothing. */
  patch(edit: Readonly<Record<string, unknown>>): boolean {
    return this.#edit(readEdits([edit]))
  }

  /** As an accepted suggestion of these words does. */
  accept(range: TextRange, newString: string): void {
    const { text, threads } = this.#state
    const follow = followReplaced(threads, text, range)
    const oldString = text.slice(range.from, range.to)
    this.#edit([{ form: 'replace', oldString, newString, at: range.from }])
    follow(this.#state.text, this.writer(threads))
  }

  #edit(edits: readonly Edit[]): boolean {
    const { text, tombstones } = this.#state
    const plan = planEdits({ text, revision: 1, baseRevision: 1, edits, actor: agent, tombstones })
    const change = this.#state.applyOperations(plan.operations, agent)
    if (change !== undefined) this.#commit(change)
    return plan.operations.length > 0
  }

  /** The service as it loads from what is stored; editors stay. */
  async restart(): Promise<void> {
    const state = new DocumentState(this.#runtime)
    for (const participant of state.participants) {
      participant.load([...(this.#records.get(participant.section)?.values() ?? [])])
    }
    const update = Y.encodeStateAsUpdate(this.#state.ydoc)
    state.load([(ydoc) => Y.applyUpdate(ydoc, update)])
    this.#state = state
  }

  writer({ section }: Pick<Participant, 'section'>): RecordWriter {
    const records = this.#records.get(section) ?? new Map<string, StoredRecord>()
    this.#records.set(section, records)
    const key = (path: readonly (string | number)[]) => path.join('/')
    return {
      put: (path, value) => records.set(key(path), { path: path.map(String), value }),
      delete: (path) => records.delete(key(path)),
    }
  }

  #hear(update: Uint8Array, client: number, actor: ActorId): void {
    const own = { update, asSent: update, actor, effort: 0 }
    const clients = [{ client }]
    const change = this.#state.applyUpdates([{ ...own, claims: [client], clients }])
    if (change !== undefined) this.#commit(change)
  }

  #commit({ updates, deleted, revived, came }: StateChange): void {
    this.#revision += 1
    for (const participant of this.#state.participants) {
      const write = { revision: this.#revision, deleted, revived, came }
      participant.commit(write, this.writer(participant))
    }
    for (const listener of this.#listeners) for (const update of updates) listener(update)
  }
}
