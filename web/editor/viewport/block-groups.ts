/**
 * A long document's blocks in groups of some fifty, each of which the browser leaves alone while it
 * is out of sight. At a key it then watches, lays out and hits a few hundred boxes, not ten
 * thousand. The groups are a shadow tree that the text's own elements are slotted into: these stay
 * the direct children of the text, so ProseMirror knows nothing of it. **Invariant:** after each
 * update of the view every child is in a group, in the order of the document, and the groups in
 * which the selection ends are awake: to put an end into one that is left alone, the browser looks
 * through all that are, for seconds.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { DocRange } from '../model/doc-range.ts'
import { beforeSelecting, countPositionsOnce, removeMassesAtOnce } from './drawn-document.ts'
import { type Ends, ToldSelection } from './told-selection.ts'
import { firstIndex, startOf } from './visible-range.ts'

/** From how many top-level blocks on those out of sight are not laid out. */
export const longFromBlocks = 200
const groupSize = 50
/** A smaller group takes over the one behind it. */
const groupLeast = 10
/** About the height of a block that nobody has seen yet, in em. */
const blockEm = 3.5

/** Engines whose editing across slots is tried; others leave each block alone by itself. */
export const groupsBlocks = (): boolean => navigator.userAgent.includes('Chrome/')

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

const indexIn = (slots: HTMLCollection, slot: Element): number => [...slots].indexOf(slot)

/** A group and what is to be in it. */
interface Wanted {
  readonly group: Group
  readonly nodes: readonly ChildNode[]
}

export function blockGroups(): Plugin {
  return new Plugin({
    view(view) {
      let grouped: GroupedBlocks | undefined
      const regroup = () => {
        const isLong = view.state.doc.childCount > longFromBlocks
        if (grouped === undefined && isLong && groupsBlocks()) grouped = new GroupedBlocks(view)
        grouped?.update()
      }
      const told = new ToldSelection(view, (place) => grouped?.around(place))
      const tell = (whole: Ends): Ends => {
        regroup()
        const ends = told.tell(whole)
        grouped?.wake([ends.anchor, ends.head])
        return ends
      }
      const { anchor, head } = view.state.selection
      tell({ anchor, head })
      countPositionsOnce(view)
      removeMassesAtOnce(view, () => grouped?.clear())
      beforeSelecting(view, tell)
      return { update: regroup, destroy: () => grouped?.destroy() }
    },
  })
}

class GroupedBlocks {
  readonly #view: EditorView
  readonly #text: HTMLElement
  readonly #all = document.createElement('div')
  readonly #changes: MutationObserver
  /** By the node that each begins with. */
  #groups = new Map<ChildNode, Group>()
  #awake: ReadonlySet<HTMLElement> = new Set()

  constructor(view: EditorView) {
    const { dom } = view
    this.#view = view
    this.#text = dom
    const root = dom.attachShadow({ mode: 'open', slotAssignment: 'manual' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(look)
    root.adoptedStyleSheets = [sheet]
    root.append(this.#all)
    this.#changes = new MutationObserver(() => this.#regroup())
    this.#changes.observe(dom, { childList: true })
    this.#regroup()
  }

  /** Before anything measures or selects: what is in no group is not there. */
  update(): void {
    if (this.#changes.takeRecords().length > 0) this.#regroup()
  }

  /**
   * Takes all blocks off the page until the view puts those back that stay. Of each that is taken
   * away by itself the browser would look through all of them; and what it has selected would grow
   * over all that comes in between.
   */
  clear(): void {
    for (const group of this.#groups.values()) {
      group.slot.assign()
      group.nodes = []
    }
    this.#text.replaceChildren()
  }

  /** The groups of these places are laid out wherever they are. */
  wake(places: readonly number[]): void {
    const awake = new Set<HTMLElement>()
    for (const place of places) {
      const slot = this.#slotAt(place)
      if (slot) awake.add(slot)
    }
    for (const slot of awake) slot.classList.add('awake')
    for (const slot of this.#awake) if (!awake.has(slot)) slot.classList.remove('awake')
    this.#awake = awake
  }

  #slotAt(place: number): HTMLSlotElement | undefined {
    const { children } = this.#text
    const index = this.#view.state.doc.resolve(place).index(0)
    return children[Math.min(index, children.length - 1)]?.assignedSlot ?? undefined
  }

  /** The groups that are in sight, or that of a place, with one more on either side. */
  around(place: number | 'sight'): DocRange | undefined {
    const slots = this.#all.children
    const own = place === 'sight' ? undefined : this.#slotAt(place)
    const isSeen = ({ bottom }: DOMRect) => bottom > 0
    const isBehind = ({ top }: DOMRect) => top > window.innerHeight
    const first = own ? indexIn(slots, own) : firstIndex(slots, isSeen)
    const last = own ? first : firstIndex(slots, isBehind) - 1
    const start = slots[Math.max(0, first - 1)]
    const behind = slots[last + 2]
    return {
      from: this.#startOf(start) ?? 0,
      to: this.#startOf(behind) ?? this.#view.state.doc.content.size,
    }
  }

  #startOf(slot: Element | undefined): number | undefined {
    const [block] = slot instanceof HTMLSlotElement ? slot.assignedElements() : []
    return startOf(this.#view, block)
  }

  destroy(): void {
    this.#changes.disconnect()
  }

  #regroup(): void {
    const found = this.#found().flatMap((wanted) => parted(wanted))
    this.#groups = new Map()
    let next = this.#all.firstChild
    let before: ChildNode | undefined
    for (const { group, nodes } of found) {
      const [first] = nodes
      group.slot.style.marginBlockStart = joinOf(before, first)
      before = nodes.at(-1)
      if (first !== undefined) this.#groups.set(first, group)
      if (group.slot === next) next = next.nextSibling
      else this.#all.insertBefore(group.slot, next)
      fill(group, nodes)
    }
    while (next !== null) {
      const rest = next.nextSibling
      next.remove()
      next = rest
    }
  }

  /** The groups as they would be if none were too large. */
  #found(): readonly Wanted[] {
    const found: Wanted[] = []
    const taken = new Set<Group>()
    let nodes: ChildNode[] = []
    for (let node = this.#text.firstChild; node !== null; node = node.nextSibling) {
      const own = this.#groups.get(node)
      const begins = found.length === 0 || (own !== undefined && nodes.length >= groupLeast)
      if (begins) {
        const group = own === undefined || taken.has(own) ? emptyGroup() : own
        nodes = []
        taken.add(group)
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
  let [part, start] = [group, 0]
  while (nodes.length - start > 2 * groupSize) {
    const reach = nodes.slice(start, start + 2 * groupSize)
    const size = sizeBeforeNext(reach)
    parts.push({ group: part, nodes: reach.slice(0, size) })
    start += size
    part = emptyGroup()
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

function fill(group: Group, nodes: readonly ChildNode[]): void {
  const isSame =
    nodes.length === group.nodes.length && nodes.every((node, at) => node === group.nodes[at])
  if (isSame) return
  group.nodes = nodes
  group.slot.assign(...(nodes as (Element | Text)[]))
  const guess = `auto ${nodes.length * blockEm}em`
  group.slot.style.setProperty('contain-intrinsic-block-size', guess)
}
