/** One document on home: its title, who changed it last and when, and a menu that comes on use. */
import { Archive, Ellipsis, FileText } from 'lucide-react'
import { lazy, memo, type ReactNode } from 'react'
import { ownHue } from '../../schema/hues.ts'
import { under } from '../api/base.ts'
import { Picture } from '../authors/picture.tsx'
import { Age } from '../platform/age.tsx'
import { hasNews } from '../visits/last-visits.ts'
import type { Lists } from './home-lists.ts'
import { type ListEntry, shownTitle } from './list-entry.ts'
import { OnFirstUse } from './on-first-use.tsx'
import type { Span } from './search.ts'

const load = () => import('./row-menu.tsx')
const RowMenu = lazy(async () => ({ default: (await load()).RowMenu }))

export interface DocumentRowProps {
  readonly document: ListEntry
  /** Where the title has what is searched. */
  readonly spans: readonly Span[]
  readonly lists: Lists
}

export const DocumentRow = memo(
  function DocumentRow({ document, spans, lists }: DocumentRowProps) {
    const { slug, at, by, place } = document
    const title = shownTitle(document)
    const isArchived = place === 'archived'
    const Icon = isArchived ? Archive : FileText
    const button = {
      className: 'button button-icon row-more',
      label: `Options for ${title}`,
      face: <Ellipsis aria-hidden />,
    }
    const words = (
      <>
        <Icon aria-hidden className="row-icon" />
        <span className="row-title">
          {marked(title, spans)}
          {!isArchived && hasNews({ slug, at, by: by?.actor }) ? (
            <span className="row-news">Changed since your last visit</span>
          ) : null}
        </span>
        <span className="row-who">
          {by === undefined ? null : (
            <>
              <Picture peer={by} hue={ownHue(by.actor)} />
              <span className="row-name">{by.name}</span>
            </>
          )}
        </span>
        <Age at={at} />
      </>
    )
    return (
      <li className="row">
        <a className="row-link" href={under(`/d/${slug}`)}>
          {words}
        </a>
        <OnFirstUse {...button} load={load}>
          <RowMenu {...button} document={document} lists={lists} />
        </OnFirstUse>
      </li>
    )
  },
  (before, now) =>
    before.document.slug === now.document.slug &&
    before.document.title === now.document.title &&
    before.document.at === now.document.at &&
    before.document.place === now.document.place &&
    JSON.stringify(before.spans) === JSON.stringify(now.spans),
)

function marked(title: string, spans: readonly Span[]): ReactNode {
  if (spans.length === 0) return title
  const parts: ReactNode[] = []
  let at = 0
  for (const { from, to } of spans) {
    parts.push(title.slice(at, from), <mark key={from}>{title.slice(from, to)}</mark>)
    at = to
  }
  return [...parts, title.slice(at)]
}
