/** How much changed in the version that is shown, and the way from one change to the next. */
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Shown } from './history-mode.ts'
import type { ReadRevision } from './use-revision.ts'
import { marked } from './version-text.tsx'

export interface ChangesProps {
  readonly read: ReadRevision | undefined
  readonly text: { readonly current: HTMLElement | null }
  /** What somebody chose to see changes since. */
  readonly chosen: string | undefined
  show(next: Shown): void
}

export function Changes({ read, text, chosen, show }: ChangesProps) {
  if (read === undefined) return null
  const { changes, since, former } = read
  const count = changes.length
  const go = (way: 1 | -1) => {
    const all = [...(text.current?.querySelectorAll<HTMLElement>(marked) ?? [])]
    const middle = window.innerHeight / 2
    const centre = (one: HTMLElement) => {
      const { top, bottom } = one.getBoundingClientRect()
      return (top + bottom) / 2
    }
    const ahead = all.filter((one) => (centre(one) - middle) * way > 4)
    const next = way === 1 ? (ahead[0] ?? all[0]) : (ahead.at(-1) ?? all.at(-1))
    next?.scrollIntoView({ block: 'center' })
  }
  const said = count === 0 ? 'No changes' : count === 1 ? '1 change' : `${count} changes`
  return (
    <span className="history-changes">
      <span role="status">
        {since === undefined ? 'The first version' : said}
        {chosen !== undefined && since !== undefined ? ` since ${chosen}` : ''}
      </span>
      {count === 0 ? null : (
        <>
          <button
            type="button"
            className="button button-icon"
            aria-label="Previous change"
            onClick={() => go(-1)}
          >
            <ArrowUp aria-hidden />
          </button>
          <button
            type="button"
            className="button button-icon"
            aria-label="Next change"
            onClick={() => go(1)}
          >
            <ArrowDown aria-hidden />
          </button>
        </>
      )}
      {chosen !== undefined ? (
        <button
          type="button"
          className="button"
          onClick={() => show({ revision: former.revision })}
        >
          Stop comparing
        </button>
      ) : null}
    </span>
  )
}
