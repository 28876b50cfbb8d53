/** Operations tried on anchors, each on a document of its own, and how each ended. */
import { Chance } from '../../chance.ts'
import { type Operation, operations } from './anchor-operations.ts'
import { AnchorPage, type Chosen, chosenFrom } from './anchor-page.ts'

/** On its words, or on none since they are gone; on none though they stand; on others. */
export type Ending = 'right' | 'given up' | 'wrong'

export interface Trial {
  readonly name: string
  readonly ending: Ending
  /** What is needed to see it again. */
  readonly told: string
}

/** Each operation so often, and undone where a person can. */
export async function* trials(seed: number, count: number): AsyncGenerator<Trial> {
  const chance = new Chance(seed)
  for (const operation of operations) {
    for (let n = 0; n < count; n++) yield* trial(operation, chance.below(1e9))
  }
}

async function* trial(operation: Operation, seed: number): AsyncGenerator<Trial> {
  const { name, home, nth = 0, takes = false, isUndone = false, becomes } = operation
  const chosen = chosenFrom(new Chance(seed), home)
  const page = await AnchorPage.of(chosen.markdown, seed)
  const told = (what: string) =>
    `${what}, seed ${seed}: “${chosen.words.join(' ')}” in\n${page.markdown}\nreads “${readOf(page)}”`
  try {
    page.anchor(chosen.words.join(' '))
    await operation.run(page, chosen)
    const wanted = { ...chosen, words: becomes ?? chosen.words }
    yield { name, ending: endingOf(page, wanted, { nth, takes }), told: told(name) }
    if (!isUndone) return
    page.undo()
    const undone = `${name}, undone`
    const ending = endingOf(page, chosen, { nth: 0, takes: false })
    yield { name: undone, ending, told: told(undone) }
  } finally {
    page.close()
  }
}

const readOf = ({ place, markdown }: AnchorPage): string | undefined =>
  place && markdown.slice(place.from, place.to)

function endingOf(
  page: AnchorPage,
  { words }: Chosen,
  { nth, takes }: { readonly nth: number; readonly takes: boolean },
): Ending {
  const { place, markdown } = page
  if (place === undefined) return takes ? 'right' : 'given up'
  if (takes) return 'wrong'
  // Whatever was typed into a word, or marks it, is not of it.
  const plain = (text: string) => text.replace(/zz|[*\s>|-]/g, '')
  const isWhole = plain(markdown.slice(place.from, place.to)) === words.join('')
  const first = words[0] ?? ''
  const places = [...markdown.matchAll(new RegExp([...first].join('(?:zz|[*\\s>-])*'), 'g'))]
  const at = places[nth]?.index ?? -1
  return isWhole && Math.abs(at - place.from) <= 2 ? 'right' : 'wrong'
}
