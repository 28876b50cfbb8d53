/**
 * What becomes of the draft: it is kept on the device with each change, sent once it rests or the
 * caret has left what was being written, and goes on being sent when one has left the mode.
 */
import type { Node } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'
import type { DocumentSession } from '../live/session.ts'
import { createStore } from '../platform/store.ts'
import { CanonicalText } from '../source/canonical-text.ts'
import { placeOf } from '../threads/thread-ranges.ts'
import { type Threads, threadsOf } from '../threads/thread-store.ts'
import { type Piece, piecesOf } from './changes.ts'
import { type Draft, without } from './draft.ts'
import { type DraftOwner, forgetLost, keepSent } from './draft-storage.ts'
import { keepDraft, type Place } from './kept-drafts.ts'
import { type Proposal, proposalsOf } from './proposals.ts'
import { Sending, type Sent, type Standing } from './sending.ts'

interface Drafted {
  readonly draft: Draft
  readonly place: Omit<Place, 'doc'>
  /** Of the draft as it is kept. */
  readonly key: string
  /** What the page shows. */
  readonly page: Node
}

/** What is done to the draft in the editor. */
export interface DraftHands {
  /** Takes changes out of it; `isUnsent`: the service does not have them as they are now. */
  drop(changes: readonly number[], isUnsent: boolean): void
  /** Changes were sent to the service as they are now. */
  markSent(changes: readonly number[]): void
}

const keepAfterMs = 250
const leftMs = 150
const acceptedMs = 1_000
/** So long it may take to hear of a decision whose text is here already. */
const heardOfMs = 10_000

export class Drafting {
  sending: Sending
  /** What was drafted and has no place any more. */
  readonly lost = createStore<readonly Piece[]>([])
  /** How it stands with what is sent. */
  readonly standing = createStore<Standing>({
    isSending: false,
    waits: undefined,
    failures: new Map(),
  })
  readonly #session: DocumentSession
  readonly #hands: DraftHands
  readonly #stops: (() => void)[] = []
  #drafted: Drafted | undefined
  /** Whose draft it is, or was. */
  #of: DraftOwner | undefined
  #shared: CanonicalText | undefined
  #page: CanonicalText | undefined
  #keepTimer: number | undefined
  /** Out of the mode the text goes on without the draft, whose places are those of then. */
  #hasLeft = false
  /** The change that the caret is in. */
  #current: number | undefined
  /** What is decided by now is known by the threads alone. */
  #waitsForThreads = false
  /** Comments of one's own that the page has been told of. */
  readonly #seen = new Set<string>()
  /** Suggestions that stand in the text as accepted, and were not heard to be. */
  readonly #arrived = new Set<string>()

  constructor(session: DocumentSession, hands: DraftHands) {
    this.#session = session
    this.#hands = hands
    this.sending = this.#newSending('', new Map())
    const keep = () => this.#keep()
    let lastKind = session.saveState.get().kind
    window.addEventListener('pagehide', keep)
    this.#stops.push(
      () => window.removeEventListener('pagehide', keep),
      session.saveState.subscribe(() => {
        const { kind } = session.saveState.get()
        const isOther = kind !== lastKind
        lastKind = kind
        if (isOther && this.#drafted !== undefined && this.#isOnline()) this.sending.soon()
      }),
    )
  }

  /** The markdown of the shared document. */
  markdownOf(doc: Node): string {
    this.#shared ??= new CanonicalText(doc)
    this.#shared.follow(doc)
    return this.#shared.text.toString()
  }

  /** `isLeft`: the draft is of an earlier visit, and the page does not show it in this mode. */
  begin(drafted: Drafted, sent: ReadonlyMap<number, Sent>, isLeft = false): void {
    this.sending.close()
    this.sending = this.#newSending(drafted.key, sent)
    this.#drafted = drafted
    this.#hasLeft = isLeft
    this.#of = drafted.place
    this.lost.set(drafted.draft.lost)
    for (const { comment } of sent.values()) this.#seen.add(comment)
    if (isLeft) this.#keep()
    this.sending.soon()
  }

  /** After each update of the editor. */
  update(draft: Draft, { doc, selection }: EditorState): void {
    const before = this.#drafted
    if (before === undefined) return
    const caret = draft.changes.find(
      ({ at, end }) => at <= selection.head && selection.head <= end,
    )?.id
    const hasLeft = this.#current !== undefined && caret !== this.#current
    this.#current = caret
    if (draft !== before.draft) {
      this.#drafted = { ...before, draft, page: doc }
      this.#letGo(draft, before.draft)
      this.#keepTimer ??= window.setTimeout(() => this.#keep(), keepAfterMs)
      this.sending.soon()
    }
    if (hasLeft) this.sending.soon(leftMs)
  }

  /** The comments that are not to be drawn as waiting: the draft's, and those in the text by now. */
  get undrawn(): ReadonlySet<string> {
    return new Set([...this.sending.comments, ...this.#arrived])
  }

  /** What was decided of one's own suggestions is no draft any more. */
  heard(threads: Threads): void {
    if (!threads.isRead.get()) return
    const decided: number[] = []
    for (const [id, { comment }] of this.sending.sent) {
      const found = threads.ofComment(comment)?.comments.find((one) => one.id === comment)
      if (found !== undefined) this.#seen.add(comment)
      const status = found?.suggestion?.status
      const isGone = found === undefined ? this.#seen.has(comment) : found.deleted === true
      const isTaken = status === 'accepted' && this.#hasLeft
      if (isGone || isTaken || status === 'rejected') decided.push(id)
      else if (status === 'accepted') this.#acceptedSoon(id, comment)
    }
    if (decided.length > 0) this.#decided(decided)
    if (this.#waitsForThreads) this.sending.soon()
    this.#waitsForThreads = false
  }

  /** The text that takes its place is on its way, and without a gap it is seen to become one. */
  #acceptedSoon(id: number, comment: string): void {
    const { sending } = this
    window.setTimeout(() => {
      const isStill = this.sending === sending && sending.sent.get(id)?.comment === comment
      if (isStill) this.#decided([id])
    }, acceptedMs)
  }

  /** One leaves the mode: what is drafted goes out, now or as soon as it can. */
  end(): void {
    this.#keep()
    this.#current = undefined
    this.#hasLeft = true
    void this.sending.now()
  }

  /** Everything is out. */
  #finish(): void {
    this.#drafted = undefined
    this.sending.close()
  }

  dismissLost(): void {
    this.lost.set([])
    if (this.#of !== undefined) forgetLost(this.#of)
  }

  close(): void {
    for (const stop of this.#stops) stop()
    window.clearTimeout(this.#keepTimer)
    this.#keep()
    const [drafted, { sending }] = [this.#drafted, this]
    this.#drafted = undefined
    this.#session.outgoing.report(this, 'suggestion', 0)
    void sending.idle().finally(() => {
      if (drafted !== undefined) keepSent(drafted.place, sending.sent)
      sending.close()
    })
  }

  #newSending(key: string, sent: ReadonlyMap<number, Sent>): Sending {
    const session = this.#session
    return new Sending(
      {
        slug: session.slug,
        proposals: (quoted) => this.#proposals(quoted),
        placeOf: (range) => this.#drafted && placeOf(this.#drafted.draft.shared, range),
        ready: async () => {
          if (!this.#isOnline()) return false
          if (!threadsOf(session).isRead.get()) {
            this.#waitsForThreads = true
            return false
          }
          await session.takeAccount()
          return session.allSaved()
        },
        telling: (changes) => {
          // Out of the mode the editor has no draft any more.
          if (!this.#hasLeft && this.#drafted !== undefined) this.#hands.markSent(changes)
        },
        decided: async (changes) => {
          // If it was accepted, its text may still be on its way, and goes before.
          await new Promise((resolve) => window.setTimeout(resolve, acceptedMs))
          this.#decided(changes, true)
        },
        changed: (standing) => {
          this.standing.set(standing)
          this.#keepTimer ??= window.setTimeout(() => this.#keep(), keepAfterMs)
        },
      },
      key,
      sent,
    )
  }

  #isOnline(): boolean {
    const { kind } = this.#session.saveState.get()
    return kind === 'saved' || kind === 'saving' || kind === 'read-only'
  }

  #proposals(quoted: (ids: readonly number[]) => string | undefined): readonly Proposal[] {
    if (this.#drafted === undefined) return []
    const { draft, page } = this.#drafted
    if (draft.changes.length === 0) return []
    const shared = this.#shared ?? new CanonicalText(draft.shared)
    const shown = this.#page ?? new CanonicalText(page)
    this.#shared = shared
    this.#page = shown
    shared.follow(draft.shared)
    shown.follow(page)
    return proposalsOf({ shared, page: shown, changes: draft.changes }, quoted)
  }

  #decided(changes: readonly number[], isUnsent = false): void {
    this.sending.forget(changes)
    if (!this.#hasLeft || this.#drafted === undefined) {
      this.#hands.drop(changes, isUnsent)
      return
    }
    const { draft, page } = this.#drafted
    const rest = without(draft, page, { ids: new Set(changes), isUnsent })
    this.#drafted = { ...this.#drafted, draft: rest.draft, page: rest.doc }
    this.lost.set(rest.draft.lost)
  }

  /** What somebody accepted, or has no place or no words now, is not withdrawn. */
  #letGo(draft: Draft, before: Draft): void {
    const lost = draft.lost.filter((piece) => !before.lost.includes(piece))
    if (lost.length > 0) {
      const unsent = lost.filter(({ id }) => !this.sending.sent.has(id))
      this.lost.set([...this.lost.get(), ...unsent])
    }
    const done = draft.done.filter((id) => !before.done.includes(id))
    for (const id of done) this.#arrive(this.sending.sent.get(id)?.comment)
    const gone = draft.gone.filter((id) => !before.gone.includes(id))
    this.sending.forget([...done, ...gone, ...lost.map(({ id }) => id)])
  }

  /** Until its decision is heard it waits, as far as is known, and would be drawn once more. */
  #arrive(comment: string | undefined): void {
    if (comment === undefined) return
    this.#arrived.add(comment)
    window.setTimeout(() => this.#arrived.delete(comment), heardOfMs)
  }

  #keep(): void {
    window.clearTimeout(this.#keepTimer)
    this.#keepTimer = undefined
    if (this.#drafted === undefined) return
    const { draft, page, place, key } = this.#drafted
    const { sent, unsent } = this.sending
    this.#session.outgoing.report(this, 'suggestion', unsent)
    if (this.#hasLeft) {
      keepSent(place, sent)
      if (unsent === 0) this.#finish()
      return
    }
    const pieces = piecesOf(draft.changes, page)
    keepDraft({ ...place, doc: draft.shared }, { key, pieces, lost: this.lost.get(), sent })
  }
}
