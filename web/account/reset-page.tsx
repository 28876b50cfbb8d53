/** Setting a new password by an address that the operator handed out. Loaded on first use. */
import { useState } from 'react'
import { type Account, resetPassword } from '../api/account.ts'
import { under } from '../api/base.ts'
import { nobody, rememberActor, rememberedActor } from '../platform/this-browser.ts'
import { focusFirst } from '../platform/writers-place.ts'
import { FormProblem, NewPasswordField, useForm } from './form.tsx'
import { newPasswordProblem, type Problem } from './problems.ts'

const used: Problem = {
  text: 'This link was already used or has expired. Ask your administrator for a new one.',
}

export function ResetPage({ secret }: { readonly secret: string | undefined }) {
  const [done, setDone] = useState<Account>()
  return (
    <main className="home narrow">
      {done !== undefined ? (
        <Done account={done} />
      ) : secret === undefined ? (
        <Incomplete />
      ) : (
        <ResetForm secret={secret} onDone={setDone} />
      )}
    </main>
  )
}

interface ResetFormProps {
  readonly secret: string
  readonly onDone: (account: Account) => void
}

function ResetForm({ secret, onDone }: ResetFormProps) {
  const [password, setPassword] = useState('')
  const form = useForm({
    check: () => newPasswordProblem(password),
    problems: { LOGIN_FAILED: used, INVALID_REQUEST: used },
    async send() {
      const account = await resetPassword(secret, password)
      rememberActor(account.actor_id)
      onDone(account)
    },
  })
  return (
    <form className="account-form" {...form.attributes}>
      <h1>Set a new password</h1>
      <p>You will be signed in here and signed out everywhere else.</p>
      <NewPasswordField
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        problem={form.problem}
        ref={focusFirst}
      />
      <FormProblem problem={form.problem} />
      <p className="home-actions">
        <button type="submit" className="button button-primary button-large" disabled={form.isBusy}>
          {form.isBusy ? 'Setting…' : 'Set password'}
        </button>
      </p>
    </form>
  )
}

const Done = ({ account }: { readonly account: Account }) => (
  <div role="status">
    <h1>Your password is set</h1>
    <p>
      You are signed in as {account.name}. Your handle is <strong>@{account.handle}</strong>.
    </p>
    <ToDocuments />
  </div>
)

const Incomplete = () => (
  <>
    <h1>This link is incomplete</h1>
    <p>
      {rememberedActor() === nobody
        ? 'Open the whole link that you received, including the part after the #.'
        : 'If you have already set your password, you are done. Otherwise open the whole link that you received, including the part after the #.'}
    </p>
    <ToDocuments />
  </>
)

const ToDocuments = () => (
  <p className="home-actions">
    <a className="button button-primary button-large" href={under('/')}>
      All documents
    </a>
  </p>
)
