/**
 * Law 3: a PATCH that was answered with 200 is in the document exactly once whatever is typed
 * meanwhile; no keystroke is lost; blocks that nobody touched keep their ids and their bytes.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type * as Y from 'yjs'
import type { ActorId } from '../../schema/ids.ts'
import { Chance, seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { pause } from '../waiting.ts'
import { Alphabet, isLetter } from './alphabet.ts'
import { assertLawful, assertNothingLost, type Rest, settled } from './laws.ts'
import { LiveEditor, textsIn } from './live-editor.ts'
import { RestWriter, Served } from './rest-writer.ts'
import { type LawDocument, LawService } from './service.ts'
import { onSimulated } from './simulated-engine.ts'

const seeds = seedsOf(1, process.env['LONG'] ? 400 : 4)
const untouched = Array.from({ length: 6 }, (_, index) => `untouched ${index}: *a* [b](/c) \\* d`)

/** One paragraph that everybody writes in, among blocks that nobody touches. */
class Race {
  readonly #service: LawService
  readonly #chance: Chance
  readonly #tally: Tally
  readonly #alphabet: Alphabet
  readonly #served = new Served()

  constructor(service: LawService, seed: number, tally: Tally) {
    this.#service = service
    this.#alphabet = new Alphabet(() => service.runtime.elapsed())
    this.#chance = new Chance(seed)
    this.#tally = tally
  }

  async run(): Promise<void> {
    const service = this.#service
    const words = this.#alphabet.words('maker' as ActorId, 12)
    const blocks = [...untouched.slice(0, 3), words, ...untouched.slice(3)]
    const document = await service.document(blocks.join('\n\n'), 7)
    const editors = document.members.slice(1, 4).map((member) => this.#editor(document, member))
    const writers = document.members.slice(4).map((member) => this.#writer(document, member))
    const before = await this.#untouchedIn(document)
    try {
      await settled(service, document, editors)
      await Promise.all([
        ...editors.map((editor) => this.#type(editor)),
        ...writers.map((writer) => this.#patch(writer)),
      ])
      const rest = await settled(service, document, editors)
      const served = this.#served
      await assertLawful({ service, document, editors, served, rest })
      assertNothingLost(this.#alphabet, rest)
      this.#assertPromised(writers, rest)
      assert.equal(await this.#untouchedIn(document), before)
    } catch (error) {
      if (process.env['STORY']) console.log(this.#alphabet.story.join('\n'))
      throw error
    } finally {
      for (const editor of editors) editor.leave()
    }
  }

  #editor({ slug }: LawDocument, member: LawDocument['members'][number]): LiveEditor {
    const [service, alphabet, chance] = [this.#service, this.#alphabet, this.#chance.fork()]
    const marking = chance.pick(['plain', 'stamps'] as const) ?? 'plain'
    const parts = { service, slug, member, chance, alphabet, marking, victim: member }
    return new LiveEditor({ ...parts, delayMaxMs: chance.below(8) })
  }

  #writer(document: LawDocument, member: LawDocument['members'][number]): RestWriter {
    const [service, alphabet, served] = [this.#service, this.#alphabet, this.#served]
    const chance = this.#chance.fork()
    return new RestWriter({ service, document, member, chance, alphabet, served })
  }

  /** Types in the paragraphs of letters alone, behind a letter. */
  async #type(editor: LiveEditor): Promise<void> {
    const { chance, member } = editor
    for (let left = 30; left > 0; left--) {
      await pause(chance.below(6))
      const text = chance.pick(textsIn(editor.fragment).filter(isOurs))
      if (text === undefined) continue
      const at = chance.between(1, text.length)
      const char = this.#alphabet.fresh(member.actor, 1)
      editor.act(() => text.insert(at, char))
      this.#alphabet.tell(member.actor, 'types', char)
      this.#tally.add('keystrokes')
    }
  }

  async #patch(writer: RestWriter): Promise<void> {
    for (let left = 8; left > 0; left--) {
      await pause(this.#chance.below(10))
      await writer[this.#chance.pick(['replace', 'replace', 'insertBlock'] as const) ?? 'replace']()
    }
    for (const [what, count] of writer.answers) this.#tally.add(what, count)
  }

  /** Words of a 200 stand once and in order, whatever was typed between them. */
  #assertPromised(writers: readonly RestWriter[], { markdown }: Rest): void {
    const standing = new Set(this.#alphabet.standing())
    for (const words of writers.flatMap(({ promised }) => promised)) {
      const kept = [...words].filter((char) => standing.has(char))
      const places = kept.map((char) => markdown.indexOf(char))
      assert.equal(
        places,
        places.toSorted((a, b) => a - b),
        `${words} out of order`,
      )
      this.#tally.add('promises')
    }
  }

  async #untouchedIn({ slug, members }: LawDocument): Promise<readonly (readonly unknown[])[]> {
    const token = members[0]?.token ?? ''
    const { body } = await this.#service.call('GET', `/docs/${slug}`, { token })
    const markdown = String(body['markdown'])
    const blocks = body['content_blocks'] as { id: string; range: { from: number; to: number } }[]
    return blocks
      .map(({ id, range }) => [id, markdown.slice(range.from, range.to)] as const)
      .filter(([, text]) => text.startsWith('untouched'))
  }
}

const isOurs = (text: Y.XmlText): boolean => {
  const [first] = text.toDelta() as { insert: unknown }[]
  return typeof first?.insert === 'string' && isLetter(first.insert.charAt(0))
}

async function race(service: LawService, seed: number, tally: Tally): Promise<void> {
  try {
    await new Race(service, seed, tally).run()
  } catch (error) {
    const { stack, details } = error as { stack?: string; details?: string }
    throw new Error(`seed ${seed} (repeat it with SEED=${seed}): ${stack}\n${details ?? ''}`)
  }
}

test('law 3: races in one paragraph', async () => {
  const tally = new Tally()
  for (const seed of seeds) await onSimulated({ seed }, (service) => race(service, seed, tally))
  const least = { keystrokes: seeds.length, promises: seeds.length, 200: seeds.length }
  tally.tell(`${seeds[0]}–${seeds.at(-1)} law 3`, least)
})

test('law 3 over real sockets, on a real disk: races in one paragraph', async () => {
  const few = process.env['LONG'] ? seeds : seeds.slice(0, 2)
  const tally = new Tally()
  const service = await LawService.start()
  try {
    for (const seed of few) await race(service, seed, tally)
  } finally {
    await service.end()
  }
  const least = { keystrokes: few.length, promises: few.length }
  tally.tell(`${few[0]}–${few.at(-1)} law 3, real`, least)
})

test.run()
