/** A live editor without a socket: a copy of a document in front of a real session. */
import * as Y from 'yjs'
import type {
  ConnectRequest,
  Documents,
  LivePeer,
  LiveSession,
  Sources,
} from '../../../../../core/documents/contract.ts'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import type { ActorId, Slug } from '../../../../../schema/ids.ts'
import { editing } from '../../../../silent-peers.ts'
import { sources as here } from '../../../../sources.ts'

/** Who wrote at one place stands in the order of clientIDs: no chance in it. */
let lastClient = 50_000

export class LiveDesk implements LivePeer {
  readonly ydoc = new Y.Doc()
  /** The close code, once it is closed. */
  closed: number | undefined
  reason = ''
  sent = 0
  saved = 0
  isReading = true
  /** How often it began again. */
  beginnings = 0
  session: LiveSession | undefined
  readonly #actor: ActorId
  readonly #sources: Sources

  constructor(name: string, sources = here) {
    this.ydoc.clientID = ++lastClient
    this.#actor = `human:${name}` as ActorId
    this.#sources = sources
  }

  /** Without its copy, for who sends bytes of its own. */
  async connect(documents: Documents, slug: Slug): Promise<this> {
    this.session = await documents.connect(slug, this.request, this)
    return this
  }

  async open(documents: Documents, slug: Slug): Promise<this> {
    const { session } = await this.connect(documents, slug)
    if (session === undefined) throw new TypeError('there is no session')
    Y.applyUpdate(this.ydoc, await session.answerStep1(Uint8Array.of(0)), this)
    this.ydoc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin !== this) this.send(update)
    })
    return this
  }

  send(update: Uint8Array, answersStep1 = false): void {
    this.sent++
    this.session?.receive(update, answersStep1)
  }

  get fragment(): Y.XmlFragment {
    return this.ydoc.getXmlFragment(fragmentName)
  }

  textOf(block: number): Y.XmlText {
    return (this.fragment.get(block) as Y.XmlElement).get(0) as Y.XmlText
  }

  get request(): ConnectRequest {
    const request = editing({ actor: this.#actor, authMethod: 'token' })
    return { ...request, access: { ...request.access, sources: this.#sources } }
  }

  onCurrent(): void {}

  onUpdate(update: Uint8Array): void {
    Y.applyUpdate(this.ydoc, update, this)
  }

  onSaved({ updates }: { readonly updates: number }): void {
    this.saved = updates
  }

  onReading(isReading: boolean): void {
    this.isReading = isReading
  }

  onClose(code: number, reason: string): void {
    this.closed = code
    this.reason = reason
  }

  onChange(): void {}
  onProvenance(): void {}
  onWrite(): void {}

  /** Begins again as a socket does: it says what the service lacks, and asks for what it lacks. */
  onBegun(stateVector: Uint8Array): void {
    this.beginnings++
    this.send(Y.encodeStateAsUpdate(this.ydoc, stateVector), true)
    this.session?.answerStep1(Y.encodeStateVector(this.ydoc)).then(
      (update) => Y.applyUpdate(this.ydoc, update, this),
      ({ code, message }: { readonly code?: string; readonly message: string }) => {
        // It is closed, or begins once more.
        if (code !== 'UNAVAILABLE') throw new Error(message)
      },
    )
  }
}
