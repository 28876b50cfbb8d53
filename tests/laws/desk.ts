/**
 * A document on the service's side and one person's copy of it, in memory, with updates that go to
 * and fro only when a test says so: what is under way while the service moves blocks.
 */

import * as Y from 'yjs'
import { planEdits } from '../../core/documents/edits/plan/plan.ts'
import type { Edit } from '../../core/documents/edits/request/edit.ts'
import { DocumentState } from '../../core/documents/state/document-state.ts'
import { fragmentName } from '../../schema/document-schema.ts'
import type { ActorId } from '../../schema/ids.ts'
import { parseMarkdown } from '../../schema/markdown/parser.ts'
import { Chance } from '../chance.ts'
import { fillState } from '../filled-state.ts'
import { SimulatedRuntime } from '../simulated-runtime.ts'
import { plainOf, textsIn } from './live-editor.ts'

export const alice = 'human:alice' as ActorId
export const agent = 'ai:agent' as ActorId

/** The service's state of a document, and alice's copy of it, which hears and sends when told. */
export class Desk {
  readonly runtime: SimulatedRuntime
  readonly state: DocumentState
  readonly ydoc = new Y.Doc()
  #sent: Uint8Array[] = []

  private constructor(seed: number) {
    this.runtime = new SimulatedRuntime({ seed })
    this.state = new DocumentState(this.runtime)
    this.ydoc.clientID = new Chance(seed).between(1, 0x7fffffff)
  }

  /** The seed is for ids of blocks and clients: who wrote at one place stands in their order. */
  static async of(markdown: string, seed = 1): Promise<Desk> {
    const desk = new Desk(seed)
    const nodes = parseMarkdown(markdown).children
    await fillState(desk.state, { nodes, author: agent, runtime: desk.runtime })
    desk.receive()
    desk.ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== 'service') desk.#sent.push(update)
    })
    return desk
  }

  /** The text of alice's document in which these words are. */
  text(words: string): Y.XmlText {
    const found = textsIn(this.ydoc.getXmlFragment(fragmentName)).find((text) =>
      plainOf(text).includes(words),
    )
    if (found === undefined) throw new Error(`${words} are nowhere`)
    return found
  }

  /** The agent's edit reaches the service before what alice has not sent. */
  patch(oldString: string, newString: string): void {
    this.edit({ form: 'replace', oldString, newString })
  }

  edit(edit: Edit): void {
    const { text } = this.state
    const plan = planEdits({ text, revision: 1, baseRevision: 1, edits: [edit], actor: agent })
    this.state.applyOperations(plan.operations, agent)
  }

  /** Moves the first top-level block of a type to the end. */
  move(type: string): void {
    const node = this.state.mirror.nodes.find((one) => one.type.name === type)
    this.edit({ form: 'move_block', block: String(node?.attrs['id']), beforeBlock: null })
  }

  /** The ids of the blocks with these words, the innermost first. */
  idsOf(words: string): string[] {
    const at = this.markdown.indexOf(words)
    const blocks = [...this.state.text.blocks()]
    return blocks.filter(({ from, to }) => from <= at && at < to).map(({ id }) => String(id))
  }

  /** Alice's updates reach the service. */
  send(updates = this.#sent.splice(0)): void {
    const client = this.ydoc.clientID
    for (const update of updates) {
      const claims = this.state.authorship.ownerOf(client) === undefined ? [client] : []
      const clients = [{ client }]
      const entry = { update, asSent: update, actor: alice, claims, clients, effort: 0 }
      this.state.applyUpdates([entry])
    }
  }

  /** Alice comes back: all that she has and the service lacks, with all her deletions. */
  reconnect(): void {
    this.#sent = []
    this.send([Y.encodeStateAsUpdate(this.ydoc, Y.encodeStateVector(this.state.ydoc))])
    this.receive()
  }

  receive(): void {
    const update = Y.encodeStateAsUpdate(this.state.ydoc, Y.encodeStateVector(this.ydoc))
    Y.applyUpdate(this.ydoc, update, 'service')
  }

  get markdown(): string {
    return this.state.text.toString()
  }
}
