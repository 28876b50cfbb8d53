/** The threads that are looked at, in the order in which they are gone through. */
import { useMemo } from 'react'
import type { Thread } from '../api/threads.ts'
import { useStore } from '../platform/store.ts'
import { useDiscussion } from './discussion-context.tsx'
import type { MarginLayout } from './margin-layout.ts'
import { inOrder, isHeldOpen, isShownBy } from './shown.ts'

export function useThreads(layout: MarginLayout): readonly Thread[] {
  const { threads, discussion, me } = useDiscussion()
  const all = useStore(threads.all)
  const order = useStore(layout.order)
  const filter = useStore(discussion.filter)
  const active = useStore(discussion.active)
  const isOpen = filter.kind === 'open'
  return useMemo(
    () =>
      inOrder(
        all.filter(
          (thread) => isShownBy(filter, thread, me) || (isOpen && isHeldOpen(thread, active)),
        ),
        order,
      ),
    [all, order, filter, isOpen, me, active],
  )
}
