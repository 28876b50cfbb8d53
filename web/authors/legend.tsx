/** Who wrote how much, while authorship is shown; the author of the text at the caret is marked. */
import { Bot, User } from 'lucide-react'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { authorship } from './authorship.ts'
import { sharingHues } from './hues.ts'
import { percent } from './shares.ts'

/** More authors than these are summed up. */
const shownMax = 8

export function AuthorLegend({ session }: { readonly session: DocumentSession }) {
  const { shares, book, atCaret } = authorship(session)
  const all = useStore(shares)
  const current = useStore(atCaret)
  useStore(book.changes)
  const sharing = sharingHues(
    all.map(({ actor }) => actor),
    book.hueOf,
  )
  const rest = all.slice(shownMax)
  const restPart = rest.reduce((sum, { part }) => sum + part, 0)
  return (
    <aside className="legend" aria-label="Authors">
      <h2 className="legend-title">Authors</h2>
      {all.length === 0 ? <p className="legend-none">No text yet.</p> : null}
      <ul className="legend-list">
        {all.slice(0, shownMax).map(({ actor, part }) => (
          <LegendRow
            key={actor}
            author={book.author(actor)}
            part={percent(part)}
            sharesHue={sharing.has(actor)}
            isCurrent={actor === current}
          />
        ))}
        {rest.length === 0 ? null : (
          <li className="legend-row">
            <span className="legend-name">and {rest.length} more</span>
            <span className="legend-part">{percent(restPart)}</span>
          </li>
        )}
      </ul>
    </aside>
  )
}

interface LegendRowProps {
  readonly author: { readonly name: string; readonly isHuman: boolean; readonly hue: number }
  readonly part: string
  /** Somebody before them has the same. */
  readonly sharesHue: boolean
  readonly isCurrent: boolean
}

function LegendRow({ author, part, sharesHue, isCurrent }: LegendRowProps) {
  const { name, isHuman, hue } = author
  return (
    <li className="legend-row" data-hue={hue} aria-current={isCurrent || undefined}>
      <span
        className="legend-sign"
        data-agent={!isHuman || undefined}
        data-striped={sharesHue || undefined}
        aria-hidden="true"
      />
      {isHuman ? <User aria-hidden="true" /> : <Bot aria-hidden="true" />}
      <span className="legend-name">{name}</span>
      <span className="visually-hidden">{isHuman ? ', person,' : ', agent,'}</span>
      <span className="legend-part">{part}</span>
      {isCurrent ? <span className="visually-hidden"> (at the cursor)</span> : null}
    </li>
  )
}
