/** What every part of the discussion on the page is drawn from: handed down once. */
import { createContext, useContext, useMemo } from 'react'
import { isHuman } from '../authors/author-book.ts'
import { authorship } from '../authors/authorship.ts'
import type { Editor } from '../editor/editor.ts'
import type { DocumentSession } from '../live/session.ts'
import { notify } from '../platform/notices.ts'
import { useSelected, useStore } from '../platform/store.ts'
import { nobody } from '../platform/this-browser.ts'
import { type DiscussionState, discussionStateOf } from './discussion-state.ts'
import { type Threads, threadsOf } from './thread-store.ts'
import { problemOf, type Standing, standingOf } from './words.ts'

export interface DiscussionContext {
  readonly session: DocumentSession
  readonly editor: Editor
  readonly threads: Threads
  readonly discussion: DiscussionState
  readonly me: string
  readonly standing: Standing
  /** Does it as somebody, reads these threads again, and says why it did not work. */
  act(ids: readonly string[], work: () => Promise<unknown>): Promise<boolean>
}

const TalkContext = createContext<DiscussionContext | undefined>(undefined)
export const DiscussionProvider = TalkContext.Provider

export function useDiscussion(): DiscussionContext {
  const talk = useContext(TalkContext)
  if (talk === undefined) throw new TypeError('drawn outside of the discussion')
  return talk
}

export function useStanding(session: DocumentSession): Standing {
  const role = useStore(session.role)
  const flags = useStore(session.flags)
  const state = useStore(session.saveState)
  const canWrite = useStore(session.canWrite)
  const reach = `${state.kind} ${'signInEnded' in state}`
  return useMemo(() => standingOf({ role, flags, state, canWrite }), [role, flags, reach, canWrite])
}

export function useMakeDiscussion(session: DocumentSession, editor: Editor): DiscussionContext {
  const standing = useStanding(session)
  const me = useSelected(session.account, (account) => account?.actor_id) ?? nobody
  return useMemo(() => {
    const threads = threadsOf(session)
    return {
      session,
      editor,
      threads,
      discussion: discussionStateOf(session),
      me,
      standing,
      async act(ids, work) {
        try {
          await session.takeAccount()
          await work()
          void threads.refresh(ids)
          return true
        } catch (error) {
          notify(problemOf(error), 'problem')
          void threads.refresh(ids)
          return false
        }
      },
    }
  }, [session, editor, standing, me])
}

export interface Speaker {
  readonly id: string
  readonly name: string
  /** The name as its own reader sees it beside others. */
  readonly called: string
  readonly isHuman: boolean
  readonly hue: number
}

/** Who somebody is: by what the threads say, else by what is known of authors. */
export function useSpeaker(id: string): Speaker {
  const { session, threads, me } = useDiscussion()
  const { book } = authorship(session)
  useStore(book.changes)
  const name = useSelected(threads.people, (people) => people.get(id)?.name) ?? book.author(id).name
  const called = id === me ? `${name} (you)` : name
  return { id, name, called, isHuman: isHuman(id), hue: book.hueOf(id) }
}
