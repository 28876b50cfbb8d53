/** Where notices stand. The region is always there, so that screen readers watch it. */
import type { ReactNode } from 'react'
import { passFocusToText } from '../platform/focus-guard.ts'
import { currentNotices, dismissNotice, type Notice } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'

/** `children`: what is said for longer. */
export function NoticeRegion({ children }: { readonly children?: ReactNode }) {
  const notices = useStore(currentNotices)
  return (
    <div ref={passFocusToText} className="notices" role="status" aria-live="polite">
      {children}
      {notices.map((notice) => (
        <Shown key={notice.key} notice={notice} />
      ))}
    </div>
  )
}

function Shown({ notice }: { readonly notice: Notice }) {
  const { key, text, tone, action } = notice
  if (action === undefined) {
    return (
      <p className="notice float" data-tone={tone}>
        {text}
      </p>
    )
  }
  const act = () => {
    dismissNotice(key)
    action.run()
  }
  return (
    <p className="notice notice-acting float" data-tone={tone}>
      {text}
      <button type="button" className="button" onMouseDown={keepWritersPlace} onClick={act}>
        {action.label}
      </button>
    </p>
  )
}
