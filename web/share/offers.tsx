/** Whether the document may be offered to this person: what asks then is loaded when it may. */
import { lazy, Suspense } from 'react'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'

const OfferNote = lazy(async () => ({ default: (await import('./offer-note.tsx')).OfferNote }))

export function Offers({ session }: { readonly session: DocumentSession }) {
  const account = useStore(session.account)
  const role = useStore(session.role)
  if (account?.guest !== false || role === undefined || role === 'owner') return null
  return (
    <Suspense>
      <OfferNote session={session} />
    </Suspense>
  )
}
