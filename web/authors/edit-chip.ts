/**
 * Tells of edits that landed off the screen: a small button at the edge behind which they are, which
 * goes there. One for each edge; a new edit joins the one that is showing. It goes by itself.
 */

export interface Chips {
  /** `name` edited beyond that edge; `go` brings the reader there. */
  tell(edge: 'above' | 'below', name: string, go: () => void): void
  destroy(): void
}

const shownMs = 8_000

interface Chip {
  readonly element: HTMLButtonElement
  readonly names: Set<string>
  go: () => void
  timer: number
}

export function createChips(): Chips {
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
    element.addEventListener('click', () => {
      const { go } = chips.get(edge) ?? { go: () => {} }
      remove(edge)
      go()
    })
    document.body.append(element)
    return { element, names: new Set(), go: () => {}, timer: 0 }
  }
  return {
    tell(edge, name, go) {
      const chip = chips.get(edge) ?? create(edge)
      chips.set(edge, chip)
      chip.names.add(name)
      chip.go = go
      const arrow = edge === 'above' ? '↑' : '↓'
      chip.element.textContent = `${arrow} ${listed([...chip.names])} edited ${edge}`
      window.clearTimeout(chip.timer)
      chip.timer = window.setTimeout(() => remove(edge), shownMs)
    },
    destroy() {
      remove('above')
      remove('below')
    },
  }
}

/** `Quill`, `Quill and Ada`, `Quill, Ada and 2 more`. */
export function listed(names: readonly string[]): string {
  const [first = '', second, ...more] = names
  if (second === undefined) return first
  if (more.length === 0) return `${first} and ${second}`
  return `${first}, ${second} and ${more.length} more`
}
