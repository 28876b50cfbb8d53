/** A part of the account's page, and lists of what an account has: asked for once, kept by hand. */
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { problemOf } from '../problems.ts'

export interface SectionProps {
  /** Where an address of the page leads to. */
  readonly id: string
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ id, title, lead, children }: SectionProps) => (
  <section id={id} className="settings-section" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {lead === undefined ? null : <p className="settings-lead">{lead}</p>}
    {children}
  </section>
)

export interface Loaded<T> {
  /** `undefined`: not here yet. */
  readonly items: readonly T[] | undefined
  readonly problem: string | undefined
  readonly reload: () => void
}

export function useLoaded<T>(fetch: () => Promise<readonly T[]>): Loaded<T> {
  const [items, setItems] = useState<readonly T[]>()
  const [problem, setProblem] = useState<string>()
  const reload = useCallback(() => {
    setProblem(undefined)
    fetch().then(setItems, (error) => setProblem(problemOf(error).text))
  }, [fetch])
  useEffect(reload, [reload])
  return { items, problem, reload }
}

export interface LoadedListProps<T> {
  readonly loaded: Loaded<T>
  readonly label: string
  readonly empty: ReactNode
  readonly children: (item: T) => ReactNode
}

/** The list, its outline while it comes, or why it does not. */
export function LoadedList<T>({ loaded, label, empty, children }: LoadedListProps<T>) {
  const { items, problem, reload } = loaded
  if (problem !== undefined) {
    return (
      <p className="rows-trouble" role="alert">
        {problem}
        <button type="button" className="button button-line" onClick={reload}>
          Try again
        </button>
      </p>
    )
  }
  if (items === undefined) {
    return (
      <div className="row-outline" aria-hidden>
        <span style={{ width: '46%' }} />
      </div>
    )
  }
  if (items.length === 0) return <p className="settings-empty">{empty}</p>
  return (
    <ul className="settings-list" aria-label={label}>
      {items.map(children)}
    </ul>
  )
}

export interface ListedProps {
  readonly title: ReactNode
  /** The line under it. */
  readonly more: ReactNode
  readonly action?: ReactNode
}

export const ListedItem = ({ title, more, action }: ListedProps) => (
  <li>
    <div className="settings-item">
      <span className="settings-item-title">{title}</span>
      <div className="settings-item-more">{more}</div>
    </div>
    {action}
  </li>
)
