/**
 * Asks under which name somebody writes, after their first words: one Enter takes the name that
 * stands there. Leaving it leads to a second question, since what was written goes with it.
 */
import { Dialog } from 'radix-ui'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/http.ts'
import { newGuestName } from '../live/guest-name.ts'
import type { DocumentSession } from '../live/session.ts'
import { useStore } from '../platform/store.ts'
import { rememberedName } from '../platform/this-browser.ts'

export function NameDialog({ session }: { readonly session: DocumentSession }) {
  const asks = useStore(session.asksName)
  const [leaves, setLeaves] = useState(false)
  const written = useRef<HTMLElement>(undefined)
  useEffect(
    () =>
      session.asksName.subscribe(() => {
        if (session.asksName.get()) written.current = focusedElement()
      }),
    [session],
  )
  return (
    <Dialog.Root open={asks} onOpenChange={() => setLeaves(!leaves)}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-scrim" />
        <Dialog.Content
          className="dialog name-dialog"
          onInteractOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            setLeaves(false)
            written.current?.focus()
          }}
        >
          {leaves ? (
            <TakeBack session={session} onStay={() => setLeaves(false)} />
          ) : (
            <GiveName session={session} onLeave={() => setLeaves(true)} />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface NamingProps {
  readonly session: DocumentSession
  readonly onLeave: () => void
}

function GiveName({ session, onLeave }: NamingProps) {
  return (
    <>
      <Dialog.Title>Under which name do you write?</Dialog.Title>
      <Dialog.Description>
        Others see it beside your words. You can change it later.
      </Dialog.Description>
      <NameForm
        initial={rememberedName() ?? newGuestName()}
        action="Write as this"
        onName={(name) => session.giveName(name)}
        onCancel={onLeave}
      />
    </>
  )
}

function TakeBack({ session, onStay }: { session: DocumentSession; onStay: () => void }) {
  return (
    <>
      <Dialog.Title>Take back what you wrote?</Dialog.Title>
      <Dialog.Description>
        Without a name it cannot be saved. Nobody else has seen it.
      </Dialog.Description>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => session.discardUnnamed()}>
          Take back
        </button>
        <button type="button" className="button button-primary" onClick={onStay} ref={focusFirst}>
          Choose a name
        </button>
      </div>
    </>
  )
}

/** Where somebody writes now, the page or the source. */
function focusedElement(): HTMLElement | undefined {
  let focused = document.activeElement
  for (let inner = focused; inner; inner = inner.shadowRoot?.activeElement ?? null) focused = inner
  return focused instanceof HTMLElement ? focused : undefined
}

const focusFirst = (element: HTMLElement | null) => element?.focus()

export interface NameFormProps {
  readonly initial: string
  readonly action: string
  readonly onName: (name: string) => Promise<void>
  readonly onCancel: () => void
}

/** The field with its two buttons; also for changing a name later. */
export function NameForm({ initial, action, onName, onCancel }: NameFormProps) {
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    try {
      await onName(name.trim())
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="name-form" onSubmit={submit}>
      <input
        className="field"
        aria-label="Your name"
        autoComplete="nickname"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onFocus={(event) => event.target.select()}
        ref={focusFirst}
      />
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button button-primary" disabled={isBusy}>
          {action}
        </button>
      </div>
    </form>
  )
}

function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'That did not work. Try again.'
  if (error.code === 'OFFLINE') return 'The service cannot be reached. What you wrote stays here.'
  if (error.status === 429) return 'Too many at once. Wait a moment and try again.'
  return error.message
}
