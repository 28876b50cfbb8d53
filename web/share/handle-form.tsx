/** Doing something with whoever goes by a handle; what came of it is said below. */
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { asHandle } from '../account/handles.ts'
import { Problem, useChange } from './parts.tsx'
import type { Sharing } from './sharing.ts'

export interface HandleFormProps<T> {
  readonly sharing: Sharing
  readonly name: string
  /** Of the field. */
  readonly label: string
  readonly placeholder: string
  readonly button: string
  readonly isPrimary?: boolean
  /** It takes the focus when it is drawn first. */
  readonly isFirst?: boolean
  readonly send: (handle: string) => Promise<T>
  /** What is true once it is done. */
  readonly doneWords: (answer: T) => string
  /** What may go wrong, by code. */
  readonly messages: (handle: string) => Readonly<Record<string, string>>
  /** Beside the field. */
  readonly children?: ReactNode
}

export function HandleForm<T>(props: HandleFormProps<T>) {
  const { sharing, isFirst = false, send, doneWords, messages } = props
  const [handle, setHandle] = useState('')
  const [done, setDone] = useState<string>()
  const change = useChange(sharing)
  const field = useRef<HTMLInputElement>(null)
  const problemId = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const asked = asHandle(handle)
    if (asked === '') return field.current?.focus()
    setDone(undefined)
    const answer = await change.run(() => send(asked), messages(asked))
    field.current?.focus()
    if (answer === undefined) return
    setHandle('')
    setDone(doneWords(answer))
  }
  return (
    <form className="share-form" onSubmit={submit} aria-label={props.name}>
      <div className="share-fields">
        <input
          ref={(element) => {
            if (isFirst && field.current === null) element?.focus()
            field.current = element
          }}
          className="field"
          aria-label={props.label}
          placeholder={props.placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          value={handle}
          aria-invalid={change.problem !== undefined}
          aria-describedby={problemId}
          onChange={(event) => {
            setHandle(event.target.value)
            change.forget()
            setDone(undefined)
          }}
        />
        {props.children}
        <button
          type="submit"
          className={`button ${props.isPrimary ? 'button-primary' : 'button-line'}`}
          aria-disabled={change.isBusy}
        >
          {props.button}
        </button>
      </div>
      <Problem id={problemId} text={change.problem} />
      <p className="share-done" role="status">
        {done}
      </p>
    </form>
  )
}
