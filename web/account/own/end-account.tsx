/** Deleting the account: says what will be true, and asks for the password or the handle. */
import { AlertDialog } from 'radix-ui'
import { useState } from 'react'
import type { Account } from '../../api/account.ts'
import { under } from '../../api/base.ts'
import { endAccount } from '../../api/own-account.ts'
import { disownDocuments } from '../../platform/recent-documents.ts'
import { nobody, rememberActor } from '../../platform/this-browser.ts'
import { focusFirst } from '../../platform/writers-place.ts'
import { Field, FormActions, PasswordField, useForm } from '../form.tsx'
import { asHandle } from '../handles.ts'
import type { Problem } from '../problems.ts'
import { Section } from './section.tsx'

export interface EndAccountProps {
  readonly account: Account
  readonly hasPassword: boolean
}

export function EndAccount({ account, hasPassword }: EndAccountProps) {
  return (
    <Section
      id="delete"
      title="Delete account"
      lead="Your documents are archived and you are signed out everywhere. What you wrote keeps your name."
    >
      <AlertDialog.Root>
        <p className="settings-actions">
          <AlertDialog.Trigger className="button button-line button-danger">
            Delete account…
          </AlertDialog.Trigger>
        </p>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="dialog-scrim" />
          <AlertDialog.Content className="dialog">
            <EndForm account={account} hasPassword={hasPassword} />
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </Section>
  )
}

const wrong: Readonly<Record<string, Problem>> = {
  LOGIN_FAILED: { field: 'password', text: 'Wrong password.' },
}

function EndForm({ account, hasPassword }: EndAccountProps) {
  const [typed, setTyped] = useState('')
  const asked = account.guest ? account.name : account.handle
  const form = useForm({
    check: () => missing(typed, { asked, hasPassword }),
    problems: wrong,
    async send() {
      await endAccount(hasPassword ? typed : undefined)
      disownDocuments()
      rememberActor(nobody)
      location.assign(under('/'))
    },
  })
  return (
    <form {...form.attributes}>
      <AlertDialog.Title>Delete your account?</AlertDialog.Title>
      <AlertDialog.Description className="dialog-lead">
        You will no longer be able to sign in as{' '}
        {account.guest ? account.name : `@${account.handle}`}.
      </AlertDialog.Description>
      <ul className="dialog-list dialog-facts">
        <li>Documents that you own are archived, and deleted forever after 30 days.</li>
        <li>You lose access to documents that others shared with you.</li>
        <li>Your owner keys and agents stop working.</li>
        <li>What you wrote stays in other people’s documents, under your name.</li>
      </ul>
      {hasPassword ? (
        <PasswordField
          name="password"
          label="Your password"
          autoComplete="current-password"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          problem={form.problem}
          ref={focusFirst}
        />
      ) : (
        <Field
          name="handle"
          label={`Type ${asked} to confirm`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          problem={form.problem}
          ref={focusFirst}
        />
      )}
      <FormActions
        form={form}
        cancel={<AlertDialog.Cancel className="button">Cancel</AlertDialog.Cancel>}
        look="destroy"
        action="Delete account"
        doing="Deleting…"
      />
    </form>
  )
}

interface Asked {
  readonly asked: string
  readonly hasPassword: boolean
}

function missing(typed: string, { asked, hasPassword }: Asked): Problem | undefined {
  if (hasPassword) {
    return typed === '' ? { field: 'password', text: 'Enter your password.' } : undefined
  }
  const isSame = asHandle(typed) === asHandle(asked)
  return isSame ? undefined : { field: 'handle', text: `Type ${asked} to confirm.` }
}
