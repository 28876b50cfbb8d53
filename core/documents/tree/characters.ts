/**
 * Characters that no markdown text can hold (carriage returns, NUL) replaced in a Y text by what
 * they become when markdown is read. The author of the old character is credited with the new one.
 */
import * as Y from 'yjs'
import { textRuns } from './children.ts'
import type { Cloned, StructId } from './place.ts'

const foreign = /[\r\0]/

/** A string as markdown would give it back. */
export function cleanString(text: string): string {
  if (!foreign.test(text)) return text
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}

export function cleanCharacters(text: Y.XmlText, cloned: Cloned): void {
  const runs = [...textRuns(text)]
  if (!runs.some((run) => foreign.test(run.text))) return
  const whole = runs.map((run) => run.text).join('')
  const originals: StructId[] = []
  const delta: object[] = []
  let [at, kept] = [0, 0]
  for (const { text: run, item, formats } of runs) {
    for (let index = 0; index < run.length; index++, at++) {
      const char = run.charAt(index)
      if (!foreign.test(char)) continue
      if (at > kept) delta.push({ retain: at - kept })
      delta.push({ delete: 1 })
      kept = at + 1
      if (char === '\r' && whole.charAt(at + 1) === '\n') continue
      const insert = char === '\r' ? '\n' : '\uFFFD'
      delta.push({ insert, attributes: Object.fromEntries(formats) })
      originals.push({ client: item.id.client, clock: item.id.clock + index })
    }
  }
  replace(text, delta, (copy) => {
    const original = originals.shift()
    if (original !== undefined) cloned(original, copy, 1)
  })
}

/** Applies the delta and tells of each character it inserted, in order. */
function replace(text: Y.XmlText, delta: object[], inserted: (id: StructId) => void): void {
  if (text.doc === null) throw new TypeError('only texts of a document are cleaned')
  const { clientID, store } = text.doc
  const clock = Y.getState(store, clientID)
  text.applyDelta(delta)
  for (const { item } of textRuns(text)) {
    if (item.id.client === clientID && item.id.clock >= clock) inserted(item.id)
  }
}
