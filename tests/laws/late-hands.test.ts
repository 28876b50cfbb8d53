/**
 * What somebody types, erases and adds in a copy of the document that lags behind stands where its
 * block is by now, whatever forms of edit came in between. In memory, so that each life repeats to
 * the letter: SEED=n shows what was done in that one. LONG=1: many more.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Edit, readEdits } from '../../core/documents/edits/request/edit.ts'
import { hasAddress } from '../../schema/addressable.ts'
import { fragmentName } from '../../schema/document-schema.ts'
import { Refusal } from '../../schema/errors.ts'
import type { ActorId } from '../../schema/ids.ts'
import { documentRuns } from '../../schema/markdown/runs.ts'
import { Chance, seedsOf } from '../chance.ts'
import { Tally } from '../tally.ts'
import { Alphabet, lettersOf } from './alphabet.ts'
import { BlockForms } from './block-forms.ts'
import { agent, alice, Desk } from './desk.ts'
import { Homes } from './homes.ts'
import { assertAuthors, assertNothingLost, shapeOf } from './laws.ts'
import { plainOf, textsIn } from './live-editor.ts'
import { textOf } from './moving-scene.ts'
import { addItem, type Hands } from './new-item.ts'
import type { Read, Edit as WireEdit } from './rest-writer.ts'

const seeds = seedsOf(1, process.env['LONG'] === undefined ? 50 : 5_000)
const steps = 20

const forms = [
  ...(['replace', 'atAnchor', 'betweenAnchors', 'atEdge', 'insertBlock', 'writeAnew'] as const),
  ...(['convert', 'convert', 'wrap', 'move', 'move', 'move', 'move'] as const),
]

interface LifeParts {
  readonly desk: Desk
  readonly alphabet: Alphabet
  readonly chance: Chance
  readonly tally: Tally
}

class Life {
  readonly alphabet: Alphabet
  readonly #desk: Desk
  readonly #tally: Tally
  readonly #homes = new Homes()
  readonly #forms: BlockForms
  readonly #hands: Hands
  /** Alice has heard of an edit since she sent. */
  #hasHeard = false

  static async begin(seed: number, tally: Tally): Promise<Life> {
    const alphabet = new Alphabet(() => 0)
    const desk = await Desk.of(
      textOf((count) => alphabet.words(agent, count)),
      seed,
    )
    return new Life({ desk, alphabet, chance: new Chance(seed), tally })
  }

  private constructor({ desk, alphabet, chance, tally }: LifeParts) {
    this.alphabet = alphabet
    this.#desk = desk
    this.#tally = tally
    this.#forms = new BlockForms(chance, (count) => alphabet.fresh(agent, count))
    const fragment = desk.ydoc.getXmlFragment(fragmentName)
    const act = (change: () => void) => desk.ydoc.transact(change)
    this.#hands = { chance, fragment, actor: alice, act }
    this.#homes.see(this.#read())
  }

  step(): void {
    const { chance } = this.#hands
    const lot = chance.next()
    if (lot < 0.4) this.#edit(forms[chance.below(forms.length)] ?? 'move')
    else if (lot < 0.6) this.#type()
    else if (lot < 0.7) this.#erase()
    else if (lot < 0.85) addItem(this.#hands, this.alphabet, this.#homes)
    else this.#exchange(chance.pick(['send', 'receive', 'reconnect'] as const) ?? 'send')
    this.#homes.see(this.#read())
  }

  /** Everybody has everything: each letter stands once, at home, and is its typist's. */
  judge(): void {
    this.#exchange('send')
    this.#exchange('receive')
    const { state, ydoc } = this.#desk
    assert.equal(shapeOf(ydoc.getXmlFragment(fragmentName)), shapeOf(state.fragment))
    const read = this.#read()
    const runs = documentRuns(state.text, (leaf) => state.mirror.leafAuthor(leaf))
    const authorship = runs.map((run) => ({ ...run, author: run.author as ActorId }))
    assertNothingLost(this.alphabet, read)
    assertAuthors(this.alphabet, { ...read, authorship }, new Set())
    this.#homes.see(read)
    this.#homes.assertStand(read.blocks)
  }

  #read(): Read {
    const { text } = this.#desk.state
    const named = [...text.blocks()].filter(({ index, pos }) => hasAddress(text.node(index), pos))
    const blocks = named.map(({ id, from, to }) => ({ id: String(id), from, to }))
    return { markdown: text.toString(), revision: 1, blocks }
  }

  #edit(form: (typeof forms)[number]): void {
    const proposal = this.#forms[form](this.#read())
    if (proposal === undefined) return
    const { edit, words = '', beside, gone = '' } = proposal
    try {
      this.#desk.edit(editOf(edit))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.alphabet.erase(words)
      this.#tally.add('refused')
      return
    }
    this.#tally.add(form)
    this.alphabet.tell(agent, edit)
    this.alphabet.erase(gone)
    if (beside !== undefined) this.#homes.join(words, beside)
  }

  #type(): void {
    const { chance, fragment } = this.#hands
    const text = chance.pick(textsIn(fragment))
    if (text === undefined) return
    const letter = this.alphabet.fresh(alice, 1)
    const at = chance.between(0, text.length)
    this.alphabet.tell(alice, 'types', letter, at, plainOf(text))
    this.#homes.type(letter, text)
    this.#tally.add('typed')
    text.insert(at, letter)
  }

  #erase(): void {
    const { chance, fragment } = this.#hands
    const text = chance.pick(textsIn(fragment).filter((one) => one.length > 0))
    if (text === undefined) return
    const at = chance.below(text.length)
    const erased = plainOf(text).slice(at, at + chance.between(1, 3))
    if (lettersOf(erased).length !== erased.length) return
    this.alphabet.tell(alice, 'erases', erased)
    this.alphabet.erase(erased)
    text.delete(at, erased.length)
    this.#tally.add('erased')
  }

  /** What a broken line loses of a text that has moved, somebody who heard of the move loses. */
  #exchange(what: 'send' | 'receive' | 'reconnect'): void {
    this.alphabet.tell(alice, what)
    this.#tally.add(what)
    if (what === 'reconnect' && this.#hasHeard) this.#desk.send()
    this.#desk[what]()
    this.#hasHeard = what === 'receive'
  }
}

function editOf(edit: WireEdit): Edit {
  const { replace_document: markdown } = edit
  if (typeof markdown === 'string') return { form: 'replace_document', markdown }
  const [read] = readEdits([edit])
  if (read === undefined) throw new TypeError('no edit')
  return read
}

test('law 3: whatever is edited meanwhile, what comes late stands where its block is', async () => {
  const tally = new Tally()
  for (const seed of seeds) {
    const life = await Life.begin(seed, tally)
    try {
      for (let left = steps; left > 0; left--) life.step()
      life.judge()
    } catch (error) {
      const { stack, details } = error as { stack?: string; details?: string }
      const story = life.alphabet.story.join('\n')
      throw new Error(`seed ${seed} (repeat it with SEED=${seed}): ${stack}\n${details}\n${story}`)
    }
  }
  const each = seeds.length / 10
  const least = { typed: each, erased: each, replace: each, move: each, convert: each, wrap: each }
  tally.tell(`${seeds[0]}–${seeds.at(-1)} late hands`, seeds.length === 1 ? {} : least)
})

test.run()
