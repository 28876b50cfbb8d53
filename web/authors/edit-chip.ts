/**
 * Tells of edits that landed off the screen: a small button at the edge behind which they are, that
 * goes there when pressed. One for each edge; a new edit joins the one that is showing. It goes by
 * itself.
 */
import { listed } from './edit-summary.ts'

export interface Chips {
  /** An actor edited beyond that edge; `go` brings the reader there. */
  tell(edge: 'above' | 'below', actor: string, go: () => void): void
  /** Names may have changed. */
  refresh(): void
  destroy(): void
}

const shownMs = 8_000

interface Chip {
  readonly element: HTMLButtonElement
  readonly actors: Set<string>
  go: () => void
  timer: number
}

export function createChips(nameOf: (actor: string) => string): Chips {
  const chips = new Map<'above' | 'below', Chip>()
  const remove = (edge: 'above' | 'below') => {
    const chip = chips.get(edge)
    if (chip === undefined) return
    window.clearTimeout(chip.timer)
    chip.element.remove()
    chips.delete(edge)
  }
  const create = (edge: 'above' | 'below'): Chip => {
    const element = document.createElement('button')
    element.type = 'button'
    element.className = 'float edit-chip'
    element.dataset['edge'] = edge
    // Who writes goes there and goes on writing.
    element.addEventListener('mousedown', (event) => event.preventDefault())
    element.addEventListener('click', () => {
      const { go } = chips.get(edge) ?? { go: () => {} }
      remove(edge)
      go()
    })
    // In a landmark, where it is found.
    ;(document.querySelector('main') ?? document.body).append(element)
    return { element, actors: new Set(), go: () => {}, timer: 0 }
  }
  const write = (edge: 'above' | 'below', { element, actors }: Chip) => {
    const arrow = edge === 'above' ? '↑' : '↓'
    const said = `${arrow} ${listed([...new Set([...actors].map(nameOf))])} edited ${edge}`
    if (element.textContent !== said) element.textContent = said
  }
  return {
    tell(edge, actor, go) {
      const chip = chips.get(edge) ?? create(edge)
      chips.set(edge, chip)
      chip.actors.add(actor)
      chip.go = go
      write(edge, chip)
      window.clearTimeout(chip.timer)
      chip.timer = window.setTimeout(() => remove(edge), shownMs)
    },
    refresh() {
      for (const [edge, chip] of chips) write(edge, chip)
    },
    destroy() {
      remove('above')
      remove('below')
    },
  }
}
