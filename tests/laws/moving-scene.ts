/**
 * One document whose blocks change places under everybody's hands: people type, erase and format
 * over slow lines and offline, agents move blocks and edit in every form, in two acts between which
 * the service starts anew; then all come to rest. Every letter is used once and has one typist and
 * one home, so what must be so then can be said in full.
 */
import type { ActorId } from '../../schema/ids.ts'
import { Chance } from '../chance.ts'
import type { Tally } from '../tally.ts'
import { pause, until } from '../waiting.ts'
import { Alphabet } from './alphabet.ts'
import { BlockAgent } from './block-agent.ts'
import { Homes } from './homes.ts'
import { assertAuthors, assertLawful, assertNothingLost, settled } from './laws.ts'
import { LiveEditor } from './live-editor.ts'
import { addItem } from './new-item.ts'
import { namedBlocks, RestWriter, Served } from './rest-writer.ts'
import type { LawDocument, LawService, Member } from './service.ts'

const typistCount = 2
const agentCount = 3
const typings = ['type', 'type', 'type', 'type', 'erase', 'format', 'addItem'] as const

interface SceneParts {
  readonly service: LawService
  readonly seed: number
  readonly tally: Tally
}

export class MovingScene {
  readonly #alphabet: Alphabet
  readonly #document: LawDocument
  readonly #parts: SceneParts
  readonly #chance: Chance
  readonly #homes = new Homes()
  readonly #served = new Served()
  readonly #typists: readonly LiveEditor[]
  readonly #writers: readonly RestWriter[]
  readonly #agents: readonly BlockAgent[]

  static async begin(parts: SceneParts): Promise<MovingScene> {
    const alphabet = new Alphabet(() => parts.service.runtime.elapsed())
    const markdown = textOf((count) => alphabet.words('maker' as ActorId, count))
    const document = await parts.service.document(markdown, 1 + typistCount + agentCount)
    const [maker] = document.members
    if (maker !== undefined) alphabet.credit(markdown, maker.actor)
    return new MovingScene(parts, document, alphabet)
  }

  private constructor(parts: SceneParts, document: LawDocument, alphabet: Alphabet) {
    this.#parts = parts
    this.#document = document
    this.#alphabet = alphabet
    this.#chance = new Chance(parts.seed)
    const others = document.members.slice(1)
    this.#typists = others.slice(0, typistCount).map((member) => this.#typist(member))
    this.#writers = others.slice(typistCount).map((member) => this.#writer(member))
    this.#agents = this.#writers.map((writer) => this.#agent(writer))
  }

  /** Ends with nobody on the line, and nothing under way. */
  async act(): Promise<void> {
    await Promise.all([
      ...this.#typists.map((typist) => this.#type(typist)),
      ...this.#agents.map((agent) => this.#edit(agent)),
    ])
  }

  async judge(): Promise<void> {
    const { service, tally } = this.#parts
    const [document, editors, served] = [this.#document, this.#typists, this.#served]
    const rest = await settled(service, document, editors)
    this.#alphabet.tell('maker' as ActorId, 'reads', rest.markdown)
    await assertLawful({ service, document, editors, served, rest })
    assertNothingLost(this.#alphabet, rest, (letter) => this.#homes.mayBeGone(letter))
    const { own } = assertAuthors(this.#alphabet, rest, new Set())
    const blocks = namedBlocks(rest.blocks)
    this.#homes.see({ markdown: rest.markdown, blocks })
    this.#homes.assertStand(blocks)
    tally.add('characters', own)
    tally.add('revisions', rest.revision)
    for (const { answers } of this.#writers) {
      for (const [what, count] of answers) tally.add(what, count)
    }
  }

  leave(): void {
    for (const typist of this.#typists) typist.leave()
  }

  get seed(): number {
    return this.#parts.seed
  }

  /** What everybody did. */
  get story(): string {
    return this.#alphabet.story.join('\n')
  }

  #typist(member: Member): LiveEditor {
    const { slug, members } = this.#document
    const chance = this.#chance.fork()
    const marking = chance.pick(['plain', 'stamps'] as const) ?? 'plain'
    const delayMaxMs = chance.pick([10, 60, 150]) ?? 60
    const [alphabet, homes, { service }] = [this.#alphabet, this.#homes, this.#parts]
    const who = { member, victim: members[0] ?? member, marking }
    return new LiveEditor({ service, slug, ...who, chance, alphabet, homes, delayMaxMs })
  }

  #writer(member: Member): RestWriter {
    const { service } = this.#parts
    const [document, alphabet, served] = [this.#document, this.#alphabet, this.#served]
    const chance = this.#chance.fork()
    return new RestWriter({ service, document, member, chance, alphabet, served })
  }

  #agent(writer: RestWriter): BlockAgent {
    const [alphabet, homes, { tally }] = [this.#alphabet, this.#homes, this.#parts]
    const chance = this.#chance.fork()
    const onDone = (form: string) => tally.add(form)
    return new BlockAgent({ writer, chance, alphabet, homes, onDone })
  }

  async #type(typist: LiveEditor): Promise<void> {
    const { chance } = typist
    for (let left = 10; left > 0; left--) {
      await pause(chance.below(30))
      if (chance.happens(0.2)) await this.#toggleLine(typist)
      if (typist.texts.length === 0) continue
      const kind = chance.pick(typings) ?? 'type'
      const isDone = kind === 'addItem' ? this.#addItem(typist) : typist[kind]()
      if (isDone) this.#parts.tally.add(kind)
    }
    if (typist.isOnline) await goOffline(typist)
  }

  #addItem(typist: LiveEditor): boolean {
    return addItem(typist, this.#alphabet, this.#homes)
  }

  async #toggleLine(typist: LiveEditor): Promise<void> {
    if (typist.isOnline) await goOffline(typist)
    else typist.goOnline()
    this.#parts.tally.add(typist.isOnline ? 'online' : 'offline')
  }

  async #edit(agent: BlockAgent): Promise<void> {
    const chance = this.#chance.fork()
    for (let left = 6; left > 0; left--) {
      await pause(chance.below(40))
      await agent.act()
    }
  }
}

/**
 * When all that was typed has arrived: what a broken line loses of a text that has moved is lost,
 * for an editor that hears of the move does not keep the letters of the old text.
 */
async function goOffline(typist: LiveEditor): Promise<void> {
  const { line, member } = typist
  const isHeard = () => (typist.isSynced && line.leaving === 0) || undefined
  await until(15_000, isHeard, () => `${member.actor} is not heard`)
  typist.goOffline()
  const isClosed = () => line.open === 0 || undefined
  await until(15_000, isClosed, () => `${member.actor} is still there`)
}

/** Blocks of every kind that takes part. */
export function textOf(words: (count: number) => string): string {
  const row = () => `| ${words(1)} | ${words(1)} |`
  return [
    `# ${words(1)}`,
    words(3),
    `- ${words(2)}\n- ${words(1)}\n  - ${words(2)}\n  - ${words(1)}`,
    `> ${words(2)}\n>\n> - ${words(1)}\n> - ${words(1)}`,
    `${row()}\n| --- | --- |\n${row()}\n${row()}`,
    `1. ${words(1)}\n\n   ${words(1)}\n2. ${words(1)}`,
    `${words(2)} **${words(1)}** ${words(1)}`,
  ].join('\n\n')
}
