/**
 * The files of one document that are on their way: sent two at a time in the order in which they
 * were brought, kept on the device meanwhile, drawn where they are to stand, and written into the
 * text when the service has them, each as an undo step of its own. It outlives the editor, which is
 * mounted anew for another copy of the document. Loaded with the first one.
 */
import type { EditorView } from 'prosemirror-view'
import { takingLayer } from '../editor/binding/layer.ts'
import { beginUndoStep } from '../editor/commands/undo-step.ts'
import { modesOf } from '../editor/mode.ts'
import { nodes } from '../editor/model/nodes.ts'
import { isWritable } from '../editor/writable.ts'
import { type KeptUpload, KeptUploads } from '../live/kept-uploads.ts'
import type { DocumentSession } from '../live/session.ts'
import { ImageSizes } from '../platform/image-sizes.ts'
import { oncePer } from '../platform/once-per.ts'
import { rememberedActor } from '../platform/this-browser.ts'
import { isPage } from './file-rules.ts'
import { blockInsertionAt, insertionAt } from './insertion.ts'
import { type Place, placesIn, withPlaces } from './places.ts'
import { Upload } from './upload.ts'
import { positionOf, relativeTo } from './upload-position.ts'
import { UploadView } from './upload-view.ts'

export interface NewUpload extends Place {
  readonly name: string
  readonly file: Blob
}

interface Entry {
  readonly id: string
  readonly name: string
  readonly order: number
  readonly dom: HTMLElement
  readonly upload: Upload
  readonly figure: UploadView
  /** Where it is to stand, for when no editor says it. */
  place: unknown
  /** It is on this device, as this. */
  kept: KeptUpload | undefined
  /** Lets another page of this browser take it. */
  release: () => void
  /** The service has it, and nothing jumps when it comes into the text. */
  isReady: boolean
}

/** What is known of it when it comes. */
type Known = Pick<KeptUpload, 'order'> & Partial<KeptUpload>

const atOnce = 2
const keepAfterMs = 500
/** A picture that takes longer is put in all the same. */
const shownWithinMs = 2_000

export const uploadQueueOf = oncePer((session: DocumentSession) => new UploadQueue(session))

export class UploadQueue {
  readonly #session: DocumentSession
  readonly #kept = new KeptUploads()
  readonly #entries = new Map<string, Entry>()
  #view: EditorView | undefined
  #keepTimer: number | undefined
  #order = 0

  constructor(session: DocumentSession) {
    this.#session = session
    addEventListener('online', () => this.#wakeAll())
    addEventListener('pagehide', () => this.#keepPlaces())
    session.saveState.subscribe(() => this.#onLine())
    modesOf(session).takesTyping.subscribe(() => this.#placeAll())
  }

  /** Those on their way are drawn in this editor from now on. */
  attach(view: EditorView): void {
    this.#view = view
    const places = [...this.#entries.values()].map((entry) => ({
      id: entry.id,
      dom: entry.dom,
      pos: positionOf(view, entry.place),
    }))
    // The view is being made by whoever calls.
    queueMicrotask(() => {
      if (view.isDestroyed) return
      if (places.length > 0) view.dispatch(withPlaces(view.state.tr, { added: places }))
      void this.#restore(view)
    })
  }

  detach(view: EditorView): void {
    if (this.#view === view) this.#view = undefined
  }

  take(brought: readonly NewUpload[]): void {
    for (const one of brought) {
      const entry = this.#add(one, { order: Date.now() * 1_000 + this.#order++ })
      void this.#hold(entry)
    }
    this.#keepPlaces()
    this.#sendNext()
  }

  /** Places are others than they were. */
  moved(): void {
    window.clearTimeout(this.#keepTimer)
    this.#keepTimer = window.setTimeout(() => this.#keepPlaces(), keepAfterMs)
    this.#placeAll()
  }

  #add({ id, dom, name, file }: NewUpload, known: Known): Entry {
    const session = this.#session
    const upload = new Upload(file, { session, onStage: () => this.#onStage(entry) }, known.src)
    const onRetry = () => {
      upload.wake()
      this.#view?.focus()
    }
    const onRemove = () => {
      this.#forget(entry)
      const view = this.#view
      if (view === undefined) return
      view.dispatch(withPlaces(view.state.tr, { gone: id }))
      view.focus()
    }
    const figure = new UploadView({ dom, name, file, onRetry, onRemove })
    const { order, place } = known
    const kept = known.id === undefined ? undefined : (known as KeptUpload)
    const state = { place, kept, release: () => {}, isReady: false }
    const entry: Entry = { id, name, order, dom, upload, figure, ...state }
    this.#entries.set(id, entry)
    this.#count()
    figure.show(upload.stage)
    if (known.src !== undefined) void this.#bringIn(entry)
    return entry
  }

  /** Those that do not stand in the text yet. */
  #count(): void {
    this.#session.outgoing.report(this, 'file', this.#entries.size)
  }

  async #hold(entry: Entry): Promise<void> {
    const release = await hold(entry.id)
    if (release === undefined) return
    if (this.#entries.get(entry.id) === entry) entry.release = release
    else release()
  }

  #onStage(entry: Entry): void {
    entry.figure.show(entry.upload.stage)
    if (entry.upload.stage.kind === 'sending' && entry.upload.stage.part > 0) return
    if (entry.upload.stage.kind === 'sent') {
      this.#keepPlaces()
      void this.#bringIn(entry)
    }
    queueMicrotask(() => this.#sendNext())
  }

  #sendNext(): void {
    const uploads = [...this.#entries.values()].map(({ upload }) => upload)
    const isSending = ({ stage }: Upload) => stage.kind === 'sending'
    const isReady = ({ stage }: Upload) => stage.kind === 'waiting' && stage.because === 'next'
    const room = atOnce - uploads.filter(isSending).length
    for (const upload of uploads.filter(isReady).slice(0, Math.max(0, room))) void upload.send()
  }

  #onLine(): void {
    const { kind } = this.#session.saveState.get()
    if (kind === 'saved' || kind === 'saving' || kind === 'read-only') this.#wakeAll()
  }

  #wakeAll(): void {
    for (const { upload } of this.#entries.values()) {
      const { stage } = upload
      if (stage.kind === 'waiting' && stage.because === 'away') upload.wake()
    }
  }

  #placeAll(): void {
    for (const entry of this.#entries.values()) this.#place(entry)
  }

  async #bringIn(entry: Entry): Promise<void> {
    const { upload, figure } = entry
    const { file, src = '' } = upload
    await (isPage(file) ? undefined : shownSoon(src))
    // Of the picture of this device: that of the service has the same, and may take longer.
    new ImageSizes().remember(src, figure.size)
    entry.isReady = true
    this.#place(entry)
  }

  /** Into the text, if it takes it now; else when it does. */
  #place(entry: Entry): void {
    const [view, { src }] = [this.#view, entry.upload]
    if (view === undefined || src === undefined || !entry.isReady) return
    if (this.#entries.get(entry.id) !== entry) return
    if (!isWritable(this.#session)) return
    const isSuggested = modesOf(this.#session).mode.get() === 'suggesting'
    if (isSuggested !== (takingLayer(view.state) !== undefined)) return
    if (view.composing) {
      view.dom.addEventListener('compositionend', () => this.#placeSoon(entry), { once: true })
      return
    }
    const place = placesIn(view.state).all.find(({ id }) => id === entry.id)
    if (place === undefined) return
    this.#forget(entry)
    const { doc, tr } = view.state
    const { at, to, content } = isPage(entry.upload.file)
      ? blockInsertionAt(doc, place.pos, fence(src))
      : insertionAt(doc, place.pos, nodes.image.create({ src }))
    beginUndoStep(view.state)
    tr.replaceWith(at, to, content)
    const stands = { from: at, to: at + content.size }
    // In the same change, so that nothing is there twice or not at all.
    view.dispatch(withPlaces(tr, { arrived: entry.id, at: stands }).setMeta('addToHistory', true))
    beginUndoStep(view.state)
  }

  #placeSoon(entry: Entry): void {
    window.setTimeout(() => this.#place(entry))
  }

  #forget(entry: Entry): void {
    entry.upload.cancel()
    entry.figure.close()
    this.#entries.delete(entry.id)
    this.#count()
    entry.release()
    const { slug } = this.#session
    this.#kept.drop({ id: entry.id, slug }).catch(() => undefined)
    queueMicrotask(() => this.#sendNext())
  }

  /** What waits, and where, survives this page. */
  #keepPlaces(): void {
    const [view, session] = [this.#view, this.#session]
    const actor = session.account.get()?.actor_id ?? rememberedActor()
    const places = view === undefined ? [] : placesIn(view.state).all
    for (const { id, pos } of places) {
      const entry = this.#entries.get(id)
      if (entry !== undefined && view !== undefined) entry.place = relativeTo(view, pos)
    }
    for (const entry of this.#entries.values()) {
      const { id, name, order, place, upload } = entry
      const { file, src } = upload
      const kept = { id, slug: session.slug, actor, name, file, place, order, ...(src && { src }) }
      if (JSON.stringify(kept) === JSON.stringify(entry.kept)) continue
      this.#kept.put(kept).then(
        () => {
          if (this.#entries.get(id) === entry) entry.kept = kept
          else void this.#kept.drop(kept).catch(() => undefined)
        },
        // A device without room: it lives as long as the page.
        () => undefined,
      )
    }
  }

  /** What an earlier page of this browser left, unless another one has it. */
  async #restore(view: EditorView): Promise<void> {
    const actor = this.#session.account.get()?.actor_id ?? rememberedActor()
    const found = await this.#kept.of(this.#session.slug, actor).catch(() => [])
    for (const kept of found) {
      const { id, name, file } = kept
      if (this.#entries.has(id)) continue
      const release = await hold(id)
      if (release === undefined) continue
      if (view.isDestroyed) {
        release()
        continue
      }
      const one = { id, name, file, dom: document.createElement('span') }
      const place = { ...one, pos: positionOf(view, kept.place) }
      this.#add(place, kept).release = release
      view.dispatch(withPlaces(view.state.tr, { added: [place] }))
    }
    this.#sendNext()
  }
}

const fence = (address: string) =>
  nodes.code_block.create({ params: 'artifact' }, nodes.code_block.schema.text(address))

/** Other pages leave it alone until it is released; undefined: another page has it. */
function hold(id: string): Promise<(() => void) | undefined> {
  const { locks } = navigator
  // Over plain http on a local network there is no such thing.
  if (locks === undefined) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    const keep = (lock: Lock | null) =>
      lock === null ? resolve(undefined) : new Promise<void>((release) => resolve(release))
    locks.request(`upload ${id}`, { ifAvailable: true }, keep).catch(reject)
  })
}

/** Once the browser has the picture, so that its room is not empty for a moment. */
async function shownSoon(src: string): Promise<void> {
  const picture = new Image()
  picture.src = src
  const late = new Promise<void>((resolve) => setTimeout(resolve, shownWithinMs))
  await Promise.race([picture.decode().catch(() => undefined), late])
}
