/** Where the legend stands, which is loaded when authors are first shown. */
import { lazy, Suspense } from 'react'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { authorship } from './authorship.ts'

const AuthorLegend = lazy(async () => ({ default: (await import('./legend.tsx')).AuthorLegend }))

export function LegendPlace({ session }: { readonly session: DocumentSession }) {
  if (!useStore(authorship(session).shown)) return null
  return (
    <Suspense>
      <AuthorLegend session={session} />
    </Suspense>
  )
}
