/**
 * The children of one element in groups of some fifty, each of which the browser leaves alone while
 * it is out of sight. The groups are a shadow tree that the children are slotted into: these stay
 * the direct children of the element, so ProseMirror knows nothing of it. **Invariant:** after each
 * `update` every child is in a group, in the order of the document.
 */

const groupSize = 50
/** A smaller group takes over the one behind it. */
const groupLeast = 10

/** The element around all groups makes one editable thing of them: a selection goes across. */
const look = `
  div, slot { display: block; -webkit-user-modify: read-write }
  slot { content-visibility: auto; overflow-clip-margin: 48px }
  slot.awake { content-visibility: visible }
  @media print { slot { content-visibility: visible } }
`

interface Group {
  readonly slot: HTMLSlotElement
  nodes: readonly ChildNode[]
}

/** What is to be in a group; in none that is there: undefined. */
interface Wanted {
  readonly group: Group | undefined
  readonly nodes: readonly ChildNode[]
}

export interface GroupedParts {
  /** About the height of a child that nobody has seen yet, in em. */
  readonly childEm: number
  /** Told of the groups, in order, when they have changed. */
  readonly onGroups?: (groups: readonly (readonly ChildNode[])[]) => void
}

export class GroupedChildren {
  readonly #host: HTMLElement
  readonly #parts: GroupedParts
  readonly #all = document.createElement('div')
  readonly #changes: MutationObserver
  /** By the node that each begins with. */
  #groups = new Map<ChildNode, Group>()

  constructor(host: HTMLElement, parts: GroupedParts) {
    this.#host = host
    this.#parts = parts
    const root = host.attachShadow({ mode: 'open', slotAssignment: 'manual' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(look)
    root.adoptedStyleSheets = [sheet]
    root.append(this.#all)
    this.#changes = new MutationObserver(() => this.#regroup())
    this.#changes.observe(host, { childList: true })
    this.#regroup()
  }

  /** The slots of the groups from one child to another. */
  slotsBetween(from: number, to: number): HTMLSlotElement[] {
    const { children } = this.#host
    const last = children[Math.min(to, children.length - 1)]?.assignedSlot
    const slots: HTMLSlotElement[] = []
    let slot: Element | null | undefined = children[from]?.assignedSlot
    while (slot instanceof HTMLSlotElement) {
      slots.push(slot)
      slot = slot === last ? null : slot.nextElementSibling
    }
    return slots
  }

  /** Before anything measures or selects: what is in no group is not there. */
  update(): void {
    if (this.#changes.takeRecords().length > 0) this.#regroup()
  }

  destroy(): void {
    this.#changes.disconnect()
  }

  #regroup(): void {
    const found = this.#found().flatMap((wanted) => parted(wanted))
    const kept = new Set(found.map(({ group }) => group))
    // What is drawn anew takes the slots of what was there, which remember how high that was.
    const spare = [...this.#groups.values()].filter((group) => !kept.has(group))
    this.#groups = new Map()
    let next = this.#all.firstChild
    let before: ChildNode | undefined
    for (const { group = spare.shift() ?? emptyGroup(), nodes } of found) {
      const [first] = nodes
      group.slot.style.marginBlockStart = joinOf(before, first)
      before = nodes.at(-1)
      if (first !== undefined) this.#groups.set(first, group)
      if (group.slot === next) next = next.nextSibling
      else this.#all.insertBefore(group.slot, next)
      this.#fill(group, nodes)
    }
    while (next !== null) {
      const rest = next.nextSibling
      next.remove()
      next = rest
    }
    this.#parts.onGroups?.(found.map(({ nodes }) => nodes))
  }

  #fill(group: Group, nodes: readonly ChildNode[]): void {
    const isSame =
      nodes.length === group.nodes.length && nodes.every((node, at) => node === group.nodes[at])
    if (isSame) return
    group.nodes = nodes
    group.slot.assign(...(nodes as (Element | Text)[]))
    const guess = `auto ${nodes.length * this.#parts.childEm}em`
    group.slot.style.setProperty('contain-intrinsic-block-size', guess)
  }

  /** The groups as they would be if none were too large. */
  #found(): readonly Wanted[] {
    const found: Wanted[] = []
    const taken = new Set<Group>()
    let nodes: ChildNode[] = []
    for (let node = this.#host.firstChild; node !== null; node = node.nextSibling) {
      const own = this.#groups.get(node)
      const begins = found.length === 0 || (own !== undefined && nodes.length >= groupLeast)
      if (begins) {
        const group = own === undefined || taken.has(own) ? undefined : own
        nodes = []
        if (group !== undefined) taken.add(group)
        found.push({ group, nodes })
      }
      nodes.push(node)
    }
    return found
  }
}

/** As several groups where it would be too large, the first in its own slot. */
function parted({ group, nodes }: Wanted): readonly Wanted[] {
  const parts: Wanted[] = []
  let part: Group | undefined = group
  let start = 0
  while (nodes.length - start > 2 * groupSize) {
    const reach = nodes.slice(start, start + 2 * groupSize)
    const size = sizeBeforeNext(reach)
    parts.push({ group: part, nodes: reach.slice(0, size) })
    start += size
    part = undefined
  }
  return [...parts, { group: part, nodes: nodes.slice(start) }]
}

/** The next group begins with no heading, unless there is nothing but headings. */
function sizeBeforeNext(reach: readonly ChildNode[]): number {
  const found = reach.findIndex((node, index) => index >= groupSize && !isHeading(node))
  return found < 0 ? groupSize : found
}

const isHeading = (node: ChildNode | undefined): boolean => /^H[1-6R]$/.test(node?.nodeName ?? '')

/**
 * A margin above does not join that of the block before it across the edge of a group, so it is
 * taken together here.
 */
const joinOf = (before: ChildNode | undefined, first: ChildNode | undefined): string =>
  before === undefined || !isHeading(first)
    ? ''
    : `calc(-1 * var(${isHeading(before) ? '--space-8' : '--space-12'}))`

const emptyGroup = (): Group => ({ slot: document.createElement('slot'), nodes: [] })
