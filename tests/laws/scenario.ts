/**
 * One scenario: two to five live editors and agents on one document, each at its own pace, with
 * slow lines and offline periods; then everybody comes to rest and the laws are held against it.
 * Of three sorts: in `typing` and `pastes` (of several blocks at once) nobody writes text again, so
 * every character is accounted for; in `structure` blocks are split, joined, wrapped, moved, pasted, deleted and undone.
 */
import type { ActorId } from '../../schema/ids.ts'
import { Chance } from '../chance.ts'
import type { Tally } from '../tally.ts'
import { pause } from '../waiting.ts'
import { Alphabet } from './alphabet.ts'
import { blockActions, editBlocks } from './block-editing.ts'
import { assertHistoryAuthors } from './history-authors.ts'
import { assertAuthors, assertLawful, assertNothingLost, settled } from './laws.ts'
import { LiveEditor, type Marking } from './live-editor.ts'
import { RestWriter, Served } from './rest-writer.ts'
import { type LawDocument, LawService } from './service.ts'
import { onSimulated, type SimulatedEngineParts } from './simulated-engine.ts'

export type Sort = 'typing' | 'pastes' | 'structure'

const writes = {
  typing: ['replace', 'replace', 'replace', 'insertBlock', 'insertAtPlace'],
  pastes: ['replace', 'insertBlock', 'insertAtPlace'],
  structure: ['replace', 'replace', 'insertBlock', 'insertAtPlace', 'rewrap', 'restructure'],
} as const

const markings: readonly Marking[] = ['plain', 'stamps', 'forges']

export class Scenario {
  readonly alphabet: Alphabet
  readonly served = new Served()
  readonly #service: LawService
  readonly #chance: Chance
  readonly #sort: Sort
  readonly #tally: Tally
  readonly #movers = new Set<string>()
  #editors: LiveEditor[] = []
  #writers: RestWriter[] = []

  constructor(service: LawService, of: { seed: number; sort: Sort; tally: Tally }) {
    this.#service = service
    this.alphabet = new Alphabet(() => service.runtime.elapsed())
    this.#chance = new Chance(of.seed)
    this.#sort = of.sort
    this.#tally = of.tally
  }

  /** `calm` resolves when the service will not be restarted any more. */
  async run(calm: () => Promise<void>): Promise<void> {
    const chance = this.#chance
    const live = chance.between(2, 5)
    const agents = chance.between(1, 2)
    const document = await this.#begin(live + agents)
    const steps = chance.between(6, 14)
    this.#recruit(document, live)
    try {
      await Promise.all([
        ...this.#editors.map((editor) => this.#edit(editor, steps)),
        ...this.#writers.map((writer) => this.#write(writer, Math.ceil(steps / 2))),
      ])
      await calm()
      await this.#judge(document)
    } catch (error) {
      if (process.env['STORY']) console.log(this.alphabet.story.join('\n'))
      throw error
    } finally {
      for (const editor of this.#editors) editor.leave()
    }
  }

  async #begin(others: number): Promise<LawDocument> {
    const maker = 'maker' as ActorId
    const words = (count: number) => this.alphabet.words(maker, count)
    const markdown = [
      `# ${words(2)}`,
      words(8),
      `- ${words(3)}\n- ${words(2)}\n  - ${words(2)}`,
      `> ${words(3)}`,
      `| ${words(1)} | ${words(1)} |\n| --- | --- |\n| ${words(1)} | ${words(1)} |`,
      `\`\`\`\n${words(2)}\n\`\`\``,
      `${words(5)} **${words(2)}** ${words(2)}`,
    ].join('\n\n')
    const document = await this.#service.document(markdown, 1 + others)
    const [first] = document.members
    if (first !== undefined) this.alphabet.credit(markdown, first.actor)
    return document
  }

  #recruit(document: LawDocument, live: number): void {
    const [victim, ...others] = document.members
    if (victim === undefined) throw new TypeError('a document without a maker')
    const service = this.#service
    const { alphabet, served } = this
    this.#editors = others.slice(0, live).map((member) => {
      const chance = this.#chance.fork()
      const marking = chance.pick(markings) ?? 'plain'
      const delayMaxMs = chance.pick([0, 4, 20, 60]) ?? 0
      const { slug } = document
      return new LiveEditor({
        service,
        slug,
        member,
        chance,
        alphabet,
        marking,
        victim,
        delayMaxMs,
      })
    })
    this.#writers = others.slice(live).map((member) => {
      const chance = this.#chance.fork()
      return new RestWriter({ service, document, member, chance, alphabet, served })
    })
  }

  async #edit(editor: LiveEditor, steps: number): Promise<void> {
    const { chance } = editor
    // On a busy machine the text is long on its way: who never had one would have done nothing.
    for (let left = arrivesWithin; left > 0 && editor.texts.length === 0; left--) await pause(10)
    for (let left = steps; left > 0; left--) {
      await pause(chance.below(25))
      if (editor.texts.length === 0) continue
      if (chance.happens(0.06)) this.#toggleLine(editor)
      else if (this.#sort === 'structure' && chance.happens(0.4)) this.#restructure(editor)
      else if (this.#sort === 'pastes' && chance.happens(0.3)) this.#paste(editor)
      else this.#compose(editor)
    }
  }

  #toggleLine(editor: LiveEditor): void {
    if (editor.isOnline) editor.goOffline()
    else editor.goOnline()
    this.#tally.add(editor.isOnline ? 'online' : 'offline')
  }

  #compose(editor: LiveEditor): void {
    const kinds = ['type', 'type', 'type', 'erase', 'format', 'addBlock', 'setAttribute'] as const
    const kind = editor.chance.pick(kinds) ?? 'type'
    if (editor[kind]()) this.#tally.add(kind)
  }

  #paste(editor: LiveEditor): void {
    if (editor.paste()) this.#tally.add('paste')
  }

  #restructure(editor: LiveEditor): void {
    const action = editor.chance.pick([...blockActions, 'undo', 'redo'] as const) ?? 'undo'
    this.#movers.add(editor.member.actor)
    if (action === 'undo' || action === 'redo') {
      if (editor.undo[action]() !== null) this.#tally.add(action)
    } else if (editBlocks(editor, action)) this.#tally.add(action)
  }

  async #write(writer: RestWriter, steps: number): Promise<void> {
    for (let left = steps; left > 0; left--) {
      await pause(this.#chance.below(20))
      const kind = this.#chance.pick(writes[this.#sort]) ?? 'replace'
      if (this.#sort === 'structure') this.#movers.add(writer.member.actor)
      await writer[kind]()
    }
  }

  async #judge(document: LawDocument): Promise<void> {
    const service = this.#service
    const { served, alphabet } = this
    const editors = this.#editors
    const rest = await settled(service, document, editors)
    await assertLawful({ service, document, editors, served, rest })
    alphabet.tell(document.members[0]?.actor ?? ('maker' as ActorId), 'reads', rest.markdown)
    // Those that an agent took out meanwhile are not missed.
    const missed = editors.flatMap(({ lost: letters }) => [...letters])
    const lost = new Set(missed.filter((letter) => !alphabet.erased.has(letter)))
    if (this.#sort !== 'structure') assertNothingLost(alphabet, rest)
    this.#tally.add('letters lost with their line', lost.size)
    const { own, moved } = assertAuthors(alphabet, rest, this.#movers)
    this.#tally.add('characters', own + moved)
    this.#tally.add(`characters credited to movers`, moved)
    const { slug } = document
    const history = await assertHistoryAuthors(service.store, { slug, ...rest }, this.#movers)
    this.#tally.add('authors by history', history.agreed)
    this.#tally.add('of movers by history', history.moved)
    this.#tally.add('revisions', rest.revision)
    for (const { answers } of this.#writers) {
      for (const [what, count] of answers) this.#tally.add(what, count)
    }
  }
}

export interface Sorted {
  readonly sort: Sort
  readonly tally: Tally
}

/** Runs scenarios side by side on one service, restarted in the middle; answers their stories. */
async function runBatch(
  service: LawService,
  seeds: readonly number[],
  { sort, tally }: Sorted,
): Promise<readonly (readonly string[])[]> {
  let restarted = Promise.resolve()
  const scenarios = seeds.map(async (seed) => {
    try {
      const scenario = new Scenario(service, { seed, sort, tally })
      await scenario.run(() => restarted)
      return scenario.alphabet.story
    } catch (error) {
      const { stack, details } = error as { stack?: string; details?: string }
      const text = `${stack ?? error}\n${details ?? ''}`
      throw new Error(`seed ${seed} ${sort} (repeat it with SEED=${seed}): ${text}`)
    }
  })
  const restart = async () => {
    await pause(150 + new Chance(seeds[0] ?? 0).below(200))
    await service.restart()
    tally.add('restarts')
  }
  restarted = restart()
  const results = await Promise.allSettled([...scenarios, restarted])
  const failed = results.filter((result) => result.status === 'rejected')
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => reason.message).join('\n\n'))
  return Promise.all(scenarios)
}

const atOnce = 5
/** Pauses of 10 ms. */
const arrivesWithin = 200

/** Runs the seeds in batches on one service with real sockets and a real disk. */
export async function runSeeds(seeds: readonly number[], sorted: Sorted): Promise<void> {
  process.setMaxListeners(0)
  const service = await LawService.start()
  try {
    for (let at = 0; at < seeds.length; at += atOnce) {
      await runBatch(service, seeds.slice(at, at + atOnce), sorted)
    }
  } finally {
    await service.end()
  }
}

/** One scenario on a service of its own, in which everything follows from the seed; its story. */
export function simulate(parts: SimulatedEngineParts, sorted: Sorted): Promise<readonly string[]> {
  return onSimulated(parts, async (service) => {
    const [story = []] = await runBatch(service, [parts.seed], sorted)
    return story
  })
}
