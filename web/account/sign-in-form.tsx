/** Signing in by handle and password, or with the provider of identities. */
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { signIn } from '../api/account.ts'
import { focusFirst } from '../platform/writers-place.ts'
import type { FormProps } from './form.tsx'
import { FormActions, HandleField, PasswordField, useForm } from './form.tsx'
import { asHandle } from './handles.ts'
import type { Problem } from './problems.ts'
import { Provider } from './provider.tsx'

const wrong: Readonly<Record<string, Problem>> = {
  LOGIN_FAILED: { field: 'password', text: 'Wrong handle or password.' },
  INVALID_REQUEST: { field: 'password', text: 'Wrong handle or password.' },
}

export function SignInForm({ ways, ready, onDone, onSwitch }: FormProps) {
  const [handle, setHandle] = useState('')
  const [password, setPassword] = useState('')
  const form = useForm({
    check: () => missing(handle, password),
    problems: wrong,
    async send() {
      await ready()
      onDone(await signIn(asHandle(handle), password))
    },
  })
  return (
    <>
      <Dialog.Title>Sign in</Dialog.Title>
      <Dialog.Description className="dialog-lead">
        {ways?.signup === 'closed' ? (
          'Sign-up is closed. Ask your administrator for an account.'
        ) : (
          <>
            New here?{' '}
            <button type="button" className="link-button" onClick={() => onSwitch('sign-up')}>
              Create an account
            </button>
          </>
        )}
      </Dialog.Description>
      <Provider ways={ways} ready={ready} />
      <form className="account-form" {...form.attributes}>
        <HandleField
          autoComplete="username"
          maxLength={200}
          value={handle}
          onChange={(event) => setHandle(event.target.value)}
          problem={form.problem}
          ref={focusFirst}
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={form.problem}
          hint="Forgot your password? Ask your administrator for a reset link."
        />
        <FormActions
          form={form}
          cancel={<Dialog.Close className="button">Cancel</Dialog.Close>}
          look="primary"
          action="Sign in"
          doing="Signing in…"
        />
      </form>
    </>
  )
}

function missing(handle: string, password: string): Problem | undefined {
  if (asHandle(handle) === '') return { field: 'handle', text: 'Enter your handle.' }
  return password === '' ? { field: 'password', text: 'Enter your password.' } : undefined
}
