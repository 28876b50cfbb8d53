/**
 * Which artifacts may run because they are seen, without anybody's click: none where a person or
 * the device wants rest, and none that has held up a page of this browser before. While one runs so
 * its address is noted on the device; a page that it holds for good leaves the note behind.
 */
import { readList, writeItem } from '../platform/device-storage.ts'

const key = 'artifacts-not-by-themselves'
const notedMax = 100
const lookEveryMs = 250
/** So long without a turn is held up. */
const heldMs = 1_500

const isText = (value: unknown): value is string => typeof value === 'string'

function wantsRest(): boolean {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  return connection?.saveData === true || matchMedia('(prefers-reduced-motion: reduce)').matches
}

export const mayRunByItself = (address: string): boolean =>
  !wantsRest() && !readList(key, isText).includes(address)

function note(address: string, isKept: boolean): void {
  const others = readList(key, isText).filter((one) => one !== address)
  writeItem(key, JSON.stringify((isKept ? [...others, address] : others).slice(-notedMax)))
}

export type Ended = 'well' | 'badly'

/** Notes it until the returned function is told how it ended; `onHeld`: it holds up the page. */
export function watchOver(address: string, onHeld: () => void): (ended: Ended) => void {
  const end = (ended: Ended) => {
    clearInterval(timer)
    removeEventListener('pagehide', leave)
    if (ended === 'well') note(address, false)
  }
  const leave = () => note(address, false)
  let before = performance.now()
  let wasHidden = document.hidden
  const timer = setInterval(() => {
    const gap = performance.now() - before
    // Pages that are out of sight get fewer turns.
    const isHeld = gap > heldMs && !document.hidden && !wasHidden
    before += gap
    wasHidden = document.hidden
    if (isHeld) onHeld()
  }, lookEveryMs)
  addEventListener('pagehide', leave)
  note(address, true)
  return end
}
