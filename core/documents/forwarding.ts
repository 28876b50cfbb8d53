/**
 * Yjs cannot move a block: what is moved, wrapped or split off is written again elsewhere, and a
 * keystroke that was on its way to the old text would be lost there. This remembers which struct
 * stands for which, and brings such keystrokes and erasures to where the text stands now. In memory
 * only and bounded: it serves who had not seen the move yet, not who comes back after a restart.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import type { StructId } from './edits/apply-blocks.ts'

/** `length` structs from `copy` on stand for those from `original` on. */
export interface Clone {
  readonly original: StructId
  readonly copy: StructId
  readonly length: number
}

/** What one transaction wrote again: a client that knows one of it deleted knows all deleted. */
interface Move {
  readonly originals: { readonly client: number; readonly clock: number; readonly length: number }[]
}

interface Entry {
  readonly clock: number
  readonly length: number
  readonly move: Move
  /** What stands for the first; undefined: nothing, but `after` is what stands left of it now. */
  readonly copy: StructId | undefined
  readonly after: StructId | undefined
}

interface Found {
  readonly id: StructId
  readonly move: Move
  /** It does not stand for the struct in question but left of it. */
  readonly isLeftOf: boolean
}

/** What an update does to text that stands elsewhere now. */
export interface Strays {
  readonly typed: readonly Y.Item[]
  readonly erased: Uint8Array | undefined
}

type DeleteSet = ReturnType<typeof Y.decodeUpdate>['ds']

const movesMax = 256
const chainMax = 64

export class Forwarding {
  readonly #entries = new Map<number, Entry[]>()
  #moves: Move[] = []

  get isEmpty(): boolean {
    return this.#moves.length === 0
  }

  /** Called in the transaction that wrote the clones and deleted the originals. */
  learn(store: Y.Doc['store'], clones: readonly Clone[]): void {
    if (clones.length === 0) return
    const move: Move = { originals: [] }
    const texts = new Set<Y.XmlText>()
    for (const { original, copy, length } of clones) {
      this.#add(original, { length, move, copy, after: undefined })
      const type = holderOf(itemAt(store, original), itemAt(store, copy))
      if (type === undefined || texts.has(type.original)) continue
      texts.add(type.original)
      const [from, to] = [type.original._item?.id, type.copy._item?.id]
      if (from && to) this.#add(from, { length: 1, move, copy: to, after: undefined })
    }
    for (const text of texts) if (text._item?.deleted) this.#anchorInvisible(text, move)
    this.#moves.push(move)
    if (this.#moves.length > movesMax) this.#forget()
  }

  /** What to bring elsewhere once the update is applied; to be asked before. */
  read(store: Y.Doc['store'], update: Uint8Array): Strays {
    const { structs, ds } = Y.decodeUpdate(update)
    const typed = structs.filter((struct): struct is Y.Item => {
      const { client, clock } = struct.id
      return struct instanceof Y.Item && clock >= Y.getState(store, client)
    })
    return { typed, erased: this.#erasures(ds) }
  }

  /** Called after the update was applied, with the clientID that is to write for its sender. */
  bring(ydoc: Y.Doc, { typed, erased }: Strays): void {
    for (const item of typed) {
      if (!isLost(ydoc.store, item)) continue
      if (item.content instanceof Y.ContentString) this.#retype(ydoc, item, item.content.str)
      else if (item.content instanceof Y.ContentType) this.#adoptText(ydoc, item)
    }
    if (erased !== undefined) Y.applyUpdate(ydoc, erased)
  }

  #retype(ydoc: Y.Doc, item: Y.Item, words: string): void {
    const place = this.#placeOf(ydoc.store, item)
    if (place === undefined) return
    const clock = Y.getState(ydoc.store, ydoc.clientID)
    place.text.insert(place.index, words)
    const made = itemsFrom(ydoc.store, ydoc.clientID, clock).find(
      ({ content }) => content instanceof Y.ContentString,
    )
    if (made === undefined) return
    const entry = { length: words.length, move: place.move, copy: made.id, after: undefined }
    this.#add(item.id, entry)
  }

  /** A text that was made in an element, empty till then, that stands elsewhere now. */
  #adoptText(ydoc: Y.Doc, item: Y.Item): void {
    const { parent, content } = item
    if (!(parent instanceof Y.ID) || !(content instanceof Y.ContentType)) return
    if (!(content.type instanceof Y.XmlText)) return
    const found = this.#resolve(parent)
    const element = found && typeAt(ydoc.store, found.id)
    if (!found || !(element instanceof Y.XmlElement) || element._item?.deleted) return
    let text = element.toArray().find((child) => child instanceof Y.XmlText)
    if (text === undefined) {
      text = new Y.XmlText()
      element.insert(element.length, [text])
    }
    const { move } = found
    const copy = text._item?.id
    if (copy) this.#add(item.id, { length: 1, move, copy, after: undefined })
  }

  /** Right of what stands left of it now, else left of its right, else at the start of its text. */
  #placeOf(
    store: Y.Doc['store'],
    { origin, rightOrigin, parent }: Y.Item,
  ): { text: Y.XmlText; index: number; move: Move } | undefined {
    const left = origin && this.#resolve(origin)
    const right = rightOrigin && this.#resolve(rightOrigin)
    const holder = parent instanceof Y.ID ? this.#resolve(parent) : undefined
    for (const found of [left, right, holder]) {
      if (!found) continue
      const type = typeAt(store, found.id)
      const place =
        type instanceof Y.XmlText
          ? { text: type, index: 0 }
          : positionOf(store, found.id, found === left || found.isLeftOf ? 1 : 0)
      if (place && !place.text._item?.deleted) return { ...place, move: found.move }
    }
    return undefined
  }

  /** The newest struct that stands for this one, or left of where it stood. */
  #resolve(id: StructId): Found | undefined {
    let found: Found | undefined
    for (let steps = 0; steps < chainMax; steps++) {
      const at: StructId = found?.id ?? id
      const entry = this.#entryAt(at)
      if (entry === undefined) return found
      const { copy, after, move } = entry
      const next = copy && { client: copy.client, clock: copy.clock + at.clock - entry.clock }
      const target = next ?? after
      if (target === undefined) return found
      found = { id: target, move, isLeftOf: next === undefined || found?.isLeftOf === true }
    }
    return found
  }

  /** The erasures as an update of the clones, for moves that the sender had not seen. */
  #erasures(ds: DeleteSet): Uint8Array | undefined {
    const ranges: Clone['copy'][] = []
    const seen = new Map<Move, boolean>()
    for (const [client, deletes] of ds.clients) {
      const entries = this.#entries.get(client)
      if (entries === undefined) continue
      for (const { clock, len } of deletes) {
        for (let index = firstEndingAfter(entries, clock); index < entries.length; index++) {
          const entry = entries[index]
          if (entry === undefined || entry.clock >= clock + len) break
          if (entry.copy === undefined) continue
          const known = seen.get(entry.move) ?? isCovered(ds, entry.move)
          seen.set(entry.move, known)
          if (known) continue
          const end = Math.min(clock + len, entry.clock + entry.length)
          for (let at = Math.max(clock, entry.clock); at < end; at++) {
            const target = this.#resolve({ client, clock: at })
            if (target) ranges.push(target.id)
          }
        }
      }
    }
    return ranges.length === 0 ? undefined : deletionOf(ranges)
  }

  /** Formats and tombstones of a text that is gone: what is typed beside one goes where it stood. */
  #anchorInvisible(text: Y.XmlText, move: Move): void {
    let after: StructId | undefined = text._item?.id
    for (let item = text._start; item !== null; item = item.right) {
      const entry = this.#entryAt(item.lastId)
      if (entry?.copy !== undefined) after = item.lastId
      else if (entry === undefined) {
        const invisible = { length: item.length, move, copy: undefined, after }
        this.#add(item.id, invisible, false)
      }
    }
  }

  #entryAt({ client, clock }: StructId): Entry | undefined {
    const entries = this.#entries.get(client)
    const entry = entries?.[firstEndingAfter(entries, clock)]
    return entry !== undefined && entry.clock <= clock ? entry : undefined
  }

  #add({ client, clock }: StructId, entry: Omit<Entry, 'clock'>, isOriginal = true): void {
    const entries = this.#entries.get(client) ?? []
    this.#entries.set(client, entries)
    const index = firstEndingAfter(entries, clock)
    const next = entries[index]
    if (next !== undefined && next.clock < clock + entry.length) return
    entries.splice(index, 0, { ...entry, clock })
    if (isOriginal) entry.move.originals.push({ client, clock, length: entry.length })
  }

  /** The older half goes. */
  #forget(): void {
    this.#moves = this.#moves.slice(this.#moves.length >> 1)
    const kept = new Set(this.#moves)
    for (const [client, entries] of this.#entries) {
      const left = entries.filter(({ move }) => kept.has(move))
      if (left.length > 0) this.#entries.set(client, left)
      else this.#entries.delete(client)
    }
  }
}

function firstEndingAfter(entries: readonly Entry[], clock: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = entries[middle]
    if (entry !== undefined && entry.clock + entry.length <= clock) low = middle + 1
    else high = middle
  }
  return low
}

function isCovered(ds: DeleteSet, { originals }: Move): boolean {
  return originals.every(({ client, clock, length }) => {
    let at = clock
    const ranges = (ds.clients.get(client) ?? []).toSorted((a, b) => a.clock - b.clock)
    for (const range of ranges) {
      if (range.clock <= at && range.clock + range.len > at) at = range.clock + range.len
    }
    return at >= clock + length
  })
}

/** An update that only deletes these structs. */
function deletionOf(ids: readonly StructId[]): Uint8Array {
  const byClient = new Map<number, Set<number>>()
  for (const { client, clock } of ids) {
    const clocks = byClient.get(client) ?? new Set()
    byClient.set(client, clocks.add(clock))
  }
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, 0)
  encoding.writeVarUint(encoder, byClient.size)
  for (const [client, clocks] of byClient) {
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, clocks.size)
    for (const clock of clocks) {
      encoding.writeVarUint(encoder, clock)
      encoding.writeVarUint(encoder, 1)
    }
  }
  return encoding.toUint8Array(encoder)
}

function structAt(store: Y.Doc['store'], { client, clock }: StructId) {
  const structs = store.clients.get(client)
  if (structs === undefined || clock >= Y.getState(store, client)) return undefined
  return structs[Y.findIndexSS(structs, clock)]
}

function itemAt(store: Y.Doc['store'], id: StructId): Y.Item | undefined {
  const struct = structAt(store, id)
  return struct instanceof Y.Item ? struct : undefined
}

function typeAt(store: Y.Doc['store'], id: StructId): Y.AbstractType<unknown> | undefined {
  const content = itemAt(store, id)?.content
  return content instanceof Y.ContentType ? content.type : undefined
}

function* itemsOf(structs: readonly unknown[], from: number): Generator<Y.Item> {
  for (let index = from; index < structs.length; index++) {
    const struct = structs[index]
    if (struct instanceof Y.Item) yield struct
  }
}

function itemsFrom(store: Y.Doc['store'], client: number, clock: number): Y.Item[] {
  const structs = store.clients.get(client)
  if (structs === undefined || clock >= Y.getState(store, client)) return []
  return [...itemsOf(structs, Y.findIndexSS(structs, clock))].filter(
    (item) => item.id.clock >= clock,
  )
}

/** The texts that hold two characters, or the first ones that two elements hold. */
function holderOf(
  original: Y.Item | undefined,
  copy: Y.Item | undefined,
): { readonly original: Y.XmlText; readonly copy: Y.XmlText } | undefined {
  const [from, to] = [textOf(original), textOf(copy)]
  return from && to && { original: from, copy: to }
}

function textOf(item: Y.Item | undefined): Y.XmlText | undefined {
  if (item?.parent instanceof Y.XmlText) return item.parent
  const type = item?.content instanceof Y.ContentType ? item.content.type : undefined
  const first = type instanceof Y.XmlElement ? type._start : undefined
  const held = first?.content instanceof Y.ContentType ? first.content.type : undefined
  return held instanceof Y.XmlText ? held : undefined
}

/** It was born dead, for what should hold it is gone. */
function isLost(store: Y.Doc['store'], { id }: Y.Item): boolean {
  return structAt(store, id)?.deleted === true
}

/** Where a character stands in its text, `behind` 1 for behind it; also where a deleted one stood. */
function positionOf(
  store: Y.Doc['store'],
  id: StructId,
  behind: 0 | 1,
): { readonly text: Y.XmlText; readonly index: number } | undefined {
  const item = itemAt(store, id)
  if (item === undefined || !(item.parent instanceof Y.XmlText)) return undefined
  let index = item.deleted || !item.countable ? 0 : id.clock - item.id.clock + behind
  for (let left = item.left; left !== null; left = left.left) {
    if (!left.deleted && left.countable) index += left.length
  }
  return { text: item.parent, index }
}
