/**
 * Says politely, for those who listen to the page, what others changed: summed up after a pause, at
 * most every few seconds, and never what oneself did.
 */
import { listed } from './edit-chip.ts'

export interface Announcements {
  /** An actor changed something in a block; its name is asked for when it is said. */
  changed(actor: string, block: ChangedBlock): void
  destroy(): void
}

export interface ChangedBlock {
  /** The same for the same block. */
  readonly key: string | number
  /** A node type's name. */
  readonly kind: string
}

const quietMs = 1_200
const everyMs = 5_000

export function createAnnouncements(nameOf: (actor: string) => string): Announcements {
  const region = document.createElement('div')
  region.className = 'visually-hidden'
  region.setAttribute('role', 'status')
  region.setAttribute('aria-live', 'polite')
  region.dataset['purpose'] = 'remote-changes'
  document.body.append(region)
  const blocks = new Map<string, Map<string | number, string>>()
  let timer: number | undefined
  let saidAt = Number.NEGATIVE_INFINITY
  const say = () => {
    timer = undefined
    saidAt = performance.now()
    region.textContent = summary(new Map([...blocks].map(([id, own]) => [nameOf(id), own])))
    blocks.clear()
  }
  return {
    changed(actor, { key, kind }) {
      const own = blocks.get(actor) ?? new Map<string | number, string>()
      blocks.set(actor, own.set(key, kind))
      window.clearTimeout(timer)
      const pause = Math.max(quietMs, saidAt + everyMs - performance.now())
      timer = window.setTimeout(say, pause)
    },
    destroy() {
      window.clearTimeout(timer)
      region.remove()
    },
  }
}

/** `Quill edited a paragraph.` and the like, from the changed blocks' kinds of each. */
export function summary(blocks: ReadonlyMap<string, ReadonlyMap<unknown, string>>): string {
  if (blocks.size > 2) {
    const count = [...blocks.values()].reduce((sum, own) => sum + own.size, 0)
    return `${listed([...blocks.keys()])} edited ${count} blocks.`
  }
  return [...blocks].map(([name, own]) => `${name} edited ${what([...own.values()])}.`).join(' ')
}

function what(kinds: readonly string[]): string {
  const [first = 'paragraph'] = kinds
  if (kinds.length === 1) return singular[first] ?? 'a block'
  const isOneKind = kinds.every((kind) => kind === first)
  return `${kinds.length} ${(isOneKind ? plural[first] : undefined) ?? 'blocks'}`
}

const singular: Readonly<Record<string, string>> = {
  paragraph: 'a paragraph',
  heading: 'a heading',
  bullet_list: 'a list',
  ordered_list: 'a list',
  blockquote: 'a quote',
  code_block: 'a code block',
  table: 'a table',
  front_matter: 'the front matter',
}

const plural: Readonly<Record<string, string>> = {
  paragraph: 'paragraphs',
  heading: 'headings',
  bullet_list: 'lists',
  ordered_list: 'lists',
  blockquote: 'quotes',
  code_block: 'code blocks',
  table: 'tables',
}
