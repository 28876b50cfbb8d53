/** What the lines and forms of the dialog have in common: one change at a time, and being asked. */
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { DocumentSession } from '../live/session.ts'
import { ProblemLine, type ProblemLineProps } from '../platform/problem-line.tsx'
import type { Shared, Sharing } from './sharing.ts'
import { problemOf } from './words.ts'

export interface SharingProps {
  readonly session: DocumentSession
  readonly sharing: Sharing
  readonly shared: Shared
}

/** What Escape closes before it closes the dialog; the innermost is the last. */
export const InnerEscapes = createContext<Set<() => void>>(new Set())

export function useInnerEscape(close: () => void): void {
  const escapes = useContext(InnerEscapes)
  const latest = useRef(close)
  latest.current = close
  useEffect(() => {
    const closeThis = () => latest.current()
    escapes.add(closeThis)
    return () => void escapes.delete(closeThis)
  }, [escapes])
}

/** What appears is brought in sight. */
export function useInSight<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [])
  return element
}

export interface Change {
  readonly isBusy: boolean
  readonly problem: string | undefined
  /** `undefined`: it was not done; `messages` are the words for what may go wrong, by code. */
  run<T>(act: () => Promise<T>, messages?: Readonly<Record<string, string>>): Promise<T | undefined>
  forget(): void
}

export function useChange(sharing: Sharing): Change {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isRunning = useRef(false)
  return {
    isBusy,
    problem,
    async run(act, messages) {
      if (isRunning.current) return undefined
      isRunning.current = true
      setBusy(true)
      setProblem(undefined)
      try {
        return await sharing.change(act)
      } catch (error) {
        setProblem(problemOf(error, messages))
        return undefined
      } finally {
        isRunning.current = false
        setBusy(false)
      }
    },
    forget: () => setProblem(undefined),
  }
}

export const Problem = (said: Pick<ProblemLineProps, 'id' | 'text'>) => (
  <ProblemLine className="share-problem" {...said} />
)

export interface ConfirmProps {
  /** What will be true then. */
  readonly children: ReactNode
  readonly action: string
  readonly change: Change
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Stands under the line that it is about, and has the focus. */
export function Confirm({ children, action, change, onConfirm, onCancel }: ConfirmProps) {
  useInnerEscape(onCancel)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  const place = useInSight<HTMLFieldSetElement>()
  return (
    <fieldset ref={place} className="share-confirm" aria-label={action}>
      {children}
      <Problem text={change.problem} />
      <div className="share-confirm-actions">
        <button type="button" className="button button-line" onClick={onCancel}>
          Cancel
        </button>
        <button
          ref={button}
          type="button"
          className="button button-danger"
          aria-disabled={change.isBusy}
          onClick={onConfirm}
        >
          {action}
        </button>
      </div>
    </fieldset>
  )
}

/** A part that is closed until somebody wants it; `count` tells whether there is something. */
export function Fold({
  title,
  count = 0,
  children,
}: {
  readonly title: string
  readonly count?: number
  readonly children: ReactNode
}) {
  return (
    <details
      className="share-fold"
      onToggle={({ currentTarget: fold }) => fold.open && fold.scrollIntoView({ block: 'nearest' })}
    >
      <summary>
        {title}
        {count > 0 ? <span className="share-count">{count}</span> : null}
      </summary>
      {children}
    </details>
  )
}
