/**
 * What this person is doing with the discussion on the page, outside React: which thread is open,
 * what is pointed at, what is about to be said, which threads are looked at. The same for everyone
 * who asks with the session. What is lit in the text is one sheet of style that it keeps.
 */
import type { Place } from '../api/threads.ts'
import type { DocumentSession } from '../live/session.ts'
import { oncePer } from '../platform/once-per.ts'
import { createStore, type Store } from '../platform/store.ts'

/** Which threads are looked at. */
export type Filter =
  | { readonly kind: 'open' | 'resolved' | 'mine' }
  | { readonly kind: 'by'; readonly actor: string }

/** What a new comment is going to be about. */
export interface Subject {
  readonly place?: Place
  /** A block as a whole. */
  readonly block?: string
  /** As they are shown to who writes about them. */
  readonly words: string
}

export interface DiscussionState {
  /** The open thread; `draftId`: the new comment. */
  readonly active: Store<string | undefined>
  /** Under the mouse, in the text or beside it. */
  readonly hovered: Store<readonly string[]>
  /** The thread whose field gets the focus when it is drawn open. */
  readonly answers: Store<string | undefined>
  readonly subject: Store<Subject | undefined>
  readonly filter: Store<Filter>
  /** On a narrow screen, whether threads are shown. */
  readonly isSheetOpen: Store<boolean>
  /** Somebody clicked on words of these: the first opens, or the one behind the open one. */
  point(ids: readonly string[]): void
  open(id: string): void
  close(): void
}

export const openOnes: Filter = { kind: 'open' }

export const discussionStateOf = oncePer((_: DocumentSession): DiscussionState => makeDesk())

function makeDesk(): DiscussionState {
  const active = createStore<string | undefined>(undefined)
  const isSheetOpen = createStore(false)
  const open = (id: string) => {
    active.set(id)
    isSheetOpen.set(true)
  }
  const close = () => {
    active.set(undefined)
    isSheetOpen.set(false)
  }
  return {
    active,
    hovered: createStore<readonly string[]>([]),
    answers: createStore<string | undefined>(undefined),
    subject: createStore<Subject | undefined>(undefined),
    filter: createStore(openOnes),
    isSheetOpen,
    open,
    point(ids) {
      const at = ids.indexOf(active.get() ?? '')
      const next = ids[(at + 1) % ids.length]
      if (next === undefined) close()
      else open(next)
    },
    close,
  }
}

/** Lights up the words of what is open or pointed at, until the returned function is called. */
export function highlightActive(
  { active, hovered }: DiscussionState,
  classOf: (id: string) => string,
): () => void {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const show = () => {
    const ids = [...new Set([active.get() ?? [], hovered.get()].flat())]
    const names = ids.map((id) => `.text .${CSS.escape(classOf(id))}`)
    const rule = (kind: string, look: string) =>
      `${names.map((name) => `${name}.${kind}`).join()} { ${look} }`
    const rules = [
      rule('about', '--about: var(--about-lit);'),
      rule('about-block', '--about-block: var(--about);'),
    ]
    sheet.replaceSync(names.length === 0 ? '' : rules.join('\n'))
  }
  const stops = [active.subscribe(show), hovered.subscribe(show)]
  show()
  return () => {
    for (const stop of stops) stop()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
