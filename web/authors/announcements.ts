/**
 * Says politely, for those who listen to the page, what others changed: summed up after a pause, at
 * most every few seconds, and never what oneself did.
 */
import { summary } from './edit-summary.ts'

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
