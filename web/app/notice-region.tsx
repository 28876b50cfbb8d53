/** Where notices stand. The region is always there, so that screen readers watch it. */
import { currentNotices } from '../platform/notices.ts'
import { useStore } from '../platform/store.ts'

export function NoticeRegion() {
  const notices = useStore(currentNotices)
  return (
    <div className="notices" role="status" aria-live="polite">
      {notices.map(({ key, text, tone }) => (
        <p key={key} className="notice float" data-tone={tone}>
          {text}
        </p>
      ))}
    </div>
  )
}
