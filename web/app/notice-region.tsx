/** Where notices stand. The region is always there, so that screen readers watch it. */
import type { ReactNode } from 'react'
import { currentNotices } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'

/** `children`: what is said for longer. */
export function NoticeRegion({ children }: { readonly children?: ReactNode }) {
  const notices = useStore(currentNotices)
  return (
    <div className="notices" role="status" aria-live="polite">
      {children}
      {notices.map(({ key, text, tone }) => (
        <p key={key} className="notice float" data-tone={tone}>
          {text}
        </p>
      ))}
    </div>
  )
}
