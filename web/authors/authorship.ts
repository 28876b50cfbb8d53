/**
 * What the page knows of authors for one session, outside React: who they are, whether their texts
 * are tinted, who is followed. It lives as long as the session's value and is the same for everyone
 * who asks with it.
 */
import type { DocumentSession } from '../live/session.ts'
import { oncePer } from '../platform/once-per.ts'
import { createStore, type Readable, type Store } from '../platform/store.ts'
import { type AuthorBook, openAuthorBook } from './author-book.ts'
import type { Following } from './follow.ts'
import type { Share } from './shares.ts'
import { Visitors } from './visitors.ts'

export interface Authorship {
  readonly book: AuthorBook
  readonly visitors: Visitors
  /** Whether texts are tinted by author. */
  readonly shown: Store<boolean>
  readonly following: FollowingSlot
  /** Where each actor last wrote from elsewhere, while the document is open. */
  readonly lastEdits: Map<string, () => void>
  /** Who wrote how much, while texts are tinted. */
  readonly shares: Store<readonly Share[]>
  /** The author of the text at the caret, while texts are tinted. */
  readonly atCaret: Store<string | undefined>
}

/** Following, whichever copy is mounted. */
export interface FollowingSlot {
  /** The clientID of who is followed. */
  readonly client: Readable<number | undefined>
  attach(following: Following): void
  detach(): void
  follow(client: number): void
  stop(): void
}

export const authorship = oncePer(
  (session: DocumentSession): Authorship => ({
    book: openAuthorBook(session),
    visitors: new Visitors(),
    shown: createStore(false),
    following: followingSlot(),
    lastEdits: new Map(),
    shares: createStore<readonly Share[]>([]),
    atCaret: createStore<string | undefined>(undefined),
  }),
)

/** Scrolls with this peer's caret until one's own scroll or Escape. */
export const follow = (session: DocumentSession, peer: { readonly client: number }): void =>
  authorship(session).following.follow(peer.client)

/** Goes where an actor without a page last wrote; nowhere when that is not known. */
export const visit = (session: DocumentSession, actor: string): void =>
  authorship(session).lastEdits.get(actor)?.()

function followingSlot(): FollowingSlot {
  const client = createStore<number | undefined>(undefined)
  let current: Following | undefined
  let stopListening: (() => void) | undefined
  return {
    client,
    attach(following) {
      current = following
      stopListening = following.client.subscribe(() => client.set(following.client.get()))
    },
    detach() {
      current?.stop()
      stopListening?.()
      current = undefined
    },
    follow: (followed) => current?.follow(followed),
    stop: () => current?.stop(),
  }
}
