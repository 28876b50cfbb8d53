/** A new password, and the provider of identities that the account may be linked to. */
import { useState } from 'react'
import { type Account, linkAddress, type SignInWays } from '../../api/account.ts'
import { changePassword } from '../../api/own-account.ts'
import { notify } from '../../platform/notices.ts'
import { FormProblem, NewPasswordField, PasswordField, useForm } from '../form.tsx'
import { newPasswordProblem, type Problem } from '../problems.ts'
import { Section } from './section.tsx'

export interface PasswordProps {
  readonly account: Account
  readonly hasPassword: boolean
  readonly ways: SignInWays
  readonly onChange: () => void
}

const wrong: Readonly<Record<string, Problem>> = {
  LOGIN_FAILED: { field: 'current', text: 'Wrong password.' },
}

export function Password({ account, hasPassword, ways, onChange }: PasswordProps) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const form = useForm({
    check: () =>
      hasPassword && current === ''
        ? { field: 'current', text: 'Enter your current password.' }
        : newPasswordProblem(password),
    problems: wrong,
    async send() {
      await changePassword(password, hasPassword ? current : undefined)
      setCurrent('')
      setPassword('')
      notify('Password changed. Your other sessions were signed out.')
      onChange()
    },
  })
  return (
    <Section
      id="password"
      title="Password"
      lead={
        hasPassword
          ? 'Changing your password signs you out of all other sessions.'
          : 'You sign in with single sign-on. Set a password to also sign in with your handle.'
      }
    >
      <form className="settings-form" {...form.attributes}>
        {/* So that a password manager knows whose password this is. */}
        <input
          className="visually-hidden"
          aria-hidden
          tabIndex={-1}
          autoComplete="username"
          readOnly
          value={account.handle}
        />
        {hasPassword ? (
          <PasswordField
            name="current"
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
            problem={form.problem}
          />
        ) : null}
        <NewPasswordField
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={form.problem}
        />
        <FormProblem problem={form.problem} />
        <p className="settings-actions">
          <button type="submit" className="button button-primary" disabled={form.isBusy}>
            {hasPassword ? 'Change password' : 'Set password'}
          </button>
        </p>
      </form>
      {ways.provider ? <Linked isLinked={ways.account?.linked === true} /> : null}
    </Section>
  )
}

const Linked = ({ isLinked }: { readonly isLinked: boolean }) => (
  <p className="settings-line">
    {isLinked
      ? 'You can also sign in with single sign-on.'
      : 'Link your account to also sign in with single sign-on.'}
    {isLinked ? null : (
      <a className="button button-line" href={linkAddress}>
        Link to single sign-on
      </a>
    )}
  </p>
)
