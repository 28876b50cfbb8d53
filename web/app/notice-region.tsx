/** Where notices stand. The region is always there, so that screen readers watch it. */
import { currentNotice } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'

export function NoticeRegion() {
  const notice = useStore(currentNotice)
  return (
    <div className="notices" role="status" aria-live="polite">
      {notice === undefined ? null : (
        <p key={notice.key} className="notice float" data-tone={notice.tone}>
          {notice.text}
        </p>
      )}
    </div>
  )
}
