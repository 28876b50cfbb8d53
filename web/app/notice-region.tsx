/**
 * The foot of the window, where what is said for a moment or for longer is in one column, so that
 * nothing covers anything else. The notices' region is always there: screen readers watch it.
 */
import type { ReactNode } from 'react'
import { passFocusToText } from '../platform/focus-guard.ts'
import { currentNotices, dismissNotice, type Notice } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'
import { keepWritersPlace } from '../platform/writers-place.ts'

export interface NoticeRegionProps {
  /** What is said for longer, among the notices. */
  readonly children?: ReactNode
  /** What is there until it has been dealt with, below them. */
  readonly below?: ReactNode
}

export function NoticeRegion({ children, below }: NoticeRegionProps) {
  const notices = useStore(currentNotices)
  return (
    <div className="dock">
      <div ref={passFocusToText} className="notices" role="status" aria-live="polite">
        {children}
        {notices.map((notice) => (
          <Shown key={notice.key} notice={notice} />
        ))}
      </div>
      {below}
      <aside className="dock-foot" aria-label="Review" />
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
