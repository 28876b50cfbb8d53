/**
 * The others' carets and selections, drawn on the overlay. Everything is worked out anew in a frame
 * in which something moved: one walk finds all positions, and only carets on the screen are
 * measured. A caret's name shows for two seconds after it moved, and while the pointer is on it.
 */
import type { EditorView } from 'prosemirror-view'
import { placesOf } from '../editor/binding/places.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { visibleRange } from '../editor/viewport/visible-range.ts'
import type { Copy } from '../live/session.ts'
import { coveredTop } from '../platform/docked.ts'
import type { AuthorBook } from './author-book.ts'
import type { Overlay } from './overlay.ts'
import { type PeerOnPage, peersOf } from './peers.ts'
import { showSelections, type TintedRange } from './selections.ts'

export interface RemoteCarets {
  /** Where a peer's caret is. */
  positionOf(client: number): number | undefined
  /** Called in each frame in which carets were drawn. */
  onMoved(listener: () => void): () => void
  /** A peer wrote something: its name shows. */
  notice(client: number): void
  destroy(): void
}

export interface CaretParts {
  readonly view: EditorView
  readonly copy: Copy
  readonly overlay: Overlay
  readonly book: AuthorBook
}

const namedMs = 2_000
const hoverPx = 6

interface Drawn {
  readonly element: HTMLElement
  readonly name: HTMLElement
  key: string
  namedUntil: number
  /** In the overlay; undefined while off the screen. */
  box: (Box & Point & { readonly height: number }) | undefined
}

export function drawRemoteCarets(parts: CaretParts): RemoteCarets {
  const { view, copy, overlay, book } = parts
  const drawn = new Map<number, Drawn>()
  const positions = new Map<number, number>()
  const listeners = new Set<() => void>()
  let namesTimer: number | undefined

  const paint = () => {
    const peers = peersOf(copy.awareness).filter(({ cursor }) => cursor !== undefined)
    for (const [client, { element }] of drawn) {
      if (peers.some((peer) => peer.client === client)) continue
      element.remove()
      drawn.delete(client)
      positions.delete(client)
    }
    if (peers.length === 0 && listeners.size === 0) return showSelections(view, [])
    const tinted = paintPeers(parts, { peers, drawn, positions })
    showSelections(view, tinted)
    hideNamesLater()
    for (const listener of [...listeners]) listener()
  }
  const hideNamesLater = () => {
    window.clearTimeout(namesTimer)
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const { element, namedUntil } of drawn.values()) {
      element.toggleAttribute('data-named', namedUntil > now)
      if (namedUntil > now) next = Math.min(next, namedUntil)
    }
    if (next < Number.POSITIVE_INFINITY) {
      namesTimer = window.setTimeout(hideNamesLater, next - now + 10)
    }
  }
  const onPointer = ({ clientX, clientY }: PointerEvent) => {
    if (drawn.size === 0) return
    const pointer = overlay.toLocal({ left: clientX, top: clientY })
    for (const { element, box } of drawn.values()) {
      element.toggleAttribute('data-pointed', box !== undefined && isNear(box, pointer))
    }
  }
  copy.awareness.on('change', overlay.invalidate)
  view.dom.addEventListener('pointermove', onPointer, { passive: true })
  const stops = [overlay.onPaint(paint), book.changes.subscribe(overlay.invalidate)]
  return {
    positionOf: (client) => positions.get(client),
    onMoved(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notice(client) {
      const known = drawn.get(client)
      if (known !== undefined) known.namedUntil = performance.now() + namedMs
    },
    destroy() {
      window.clearTimeout(namesTimer)
      for (const stop of stops) stop()
      copy.awareness.off('change', overlay.invalidate)
      view.dom.removeEventListener('pointermove', onPointer)
      for (const { element } of drawn.values()) element.remove()
      showSelections(view, [])
    },
  }
}

type Point = { readonly x: number; readonly y: number }

const isNear = (caret: Point & { readonly height: number }, { x, y }: Point): boolean =>
  Math.abs(caret.x - x) <= hoverPx &&
  y >= caret.y - hoverPx &&
  y <= caret.y + caret.height + hoverPx

interface Painting {
  readonly peers: readonly PeerOnPage[]
  readonly drawn: Map<number, Drawn>
  readonly positions: Map<number, number>
}

function paintPeers({ view, copy, overlay, book }: CaretParts, painting: Painting): TintedRange[] {
  const { peers, drawn, positions } = painting
  const cursors = peers.flatMap(({ cursor }) => (cursor ? [cursor.anchor, cursor.head] : []))
  const found = placesOf(copy.fragment, view.state, cursors)
  const seen = visibleRange(view, 64)
  const tinted: TintedRange[] = []
  const moves: (() => void)[] = []
  for (const [index, peer] of peers.entries()) {
    const author = book.author(peer.actor)
    const caret = drawn.get(peer.client) ?? createCaret(overlay)
    drawn.set(peer.client, caret)
    noticeMove(caret, peer)
    const [anchor, head] = [found[index * 2], found[index * 2 + 1]]
    if (head === undefined) positions.delete(peer.client)
    else positions.set(peer.client, head)
    const box = head === undefined ? undefined : boxAt(view, head, seen)
    if (anchor !== undefined && head !== undefined && anchor !== head) {
      tinted.push(...clipped({ hue: author.hue, anchor, head }, seen))
    }
    moves.push(() => {
      const at = box === undefined ? undefined : overlay.toLocal(box)
      caret.element.toggleAttribute('data-glides', caret.box !== undefined)
      caret.box = at && box ? { ...box, ...at, height: box.bottom - box.top } : undefined
      moveCaret(caret, author.hue, peer.name ?? author.name)
    })
  }
  for (const move of moves) move()
  return tinted
}

function createCaret(overlay: Overlay): Drawn {
  const element = document.createElement('div')
  element.className = 'caret'
  const name = document.createElement('span')
  name.className = 'caret-name'
  element.append(name)
  overlay.element.append(element)
  return { element, name, key: '', namedUntil: 0, box: undefined }
}

function noticeMove(caret: Drawn, { cursor }: PeerOnPage): void {
  const key = cursor?.key ?? ''
  if (caret.key === key) return
  caret.key = key
  caret.namedUntil = performance.now() + namedMs
}

/** Room for a name beside and above a caret. */
const nameWidthPx = 168
const nameHeightPx = 20

function moveCaret(caret: Drawn, hue: number, shown: string): void {
  const { element, name, box } = caret
  element.hidden = box === undefined
  if (box === undefined) return
  element.style.setProperty('--by', `var(--author-${hue})`)
  element.style.setProperty('transform', `translate(${box.x}px, ${box.y}px)`)
  element.style.setProperty('height', `${box.height}px`)
  element.toggleAttribute('data-before', box.left > window.innerWidth - nameWidthPx)
  element.toggleAttribute('data-below', box.top < coveredTop() + nameHeightPx)
  if (name.textContent !== shown) name.textContent = shown
}

interface Box {
  readonly left: number
  readonly top: number
  readonly bottom: number
}

function boxAt(view: EditorView, pos: number, seen: DocRange): Box | undefined {
  if (pos < seen.from || pos > seen.to || pos > view.state.doc.content.size) return undefined
  try {
    return view.coordsAtPos(pos, -1)
  } catch {
    return undefined
  }
}

function clipped(
  { hue, anchor, head }: { readonly hue: number; readonly anchor: number; readonly head: number },
  seen: DocRange,
): TintedRange[] {
  const from = Math.max(Math.min(anchor, head), seen.from)
  const to = Math.min(Math.max(anchor, head), seen.to)
  return from < to ? [{ hue, from, to }] : []
}
