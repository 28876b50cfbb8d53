/** Making an account; a guest's own becomes one, with all that it wrote. */
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { signUp } from '../api/account.ts'
import { focusFirst } from '../platform/writers-place.ts'
import type { FormProps } from './form.tsx'
import { Field, FormActions, HandleField, NewPasswordField, useForm } from './form.tsx'
import { asHandle, suggestedHandle } from './handles.ts'
import { handleProblem, nameProblem, newPasswordProblem, type Problem } from './problems.ts'
import { Provider } from './provider.tsx'

export function SignUpForm(props: FormProps) {
  const { guest, ways, onSwitch } = props
  const byPassword = ways === undefined || ways.signup === 'open'
  return (
    <>
      <Dialog.Title>
        {guest === undefined ? 'Create an account' : 'Keep your documents'}
      </Dialog.Title>
      <Dialog.Description className="dialog-lead">
        {guest === undefined
          ? 'Use your documents from any device. '
          : 'Your documents move to your account, and you can sign in from any device. '}
        Already have an account?{' '}
        <button type="button" className="link-button" onClick={() => onSwitch('sign-in')}>
          Sign in
        </button>
      </Dialog.Description>
      {byPassword ? (
        <>
          <Provider {...props} />
          <PasswordSignUp {...props} />
        </>
      ) : (
        <NoPassword {...props} />
      )}
    </>
  )
}

const NoPassword = ({ ways, ready }: FormProps) => (
  <>
    {ways?.signup === 'oidc' ? (
      <Provider ways={ways} ready={ready} isAlone />
    ) : (
      <p className="form-note">Sign-up is closed. Ask your administrator for an account.</p>
    )}
    <div className="dialog-actions">
      <Dialog.Close className="button">Close</Dialog.Close>
    </div>
  </>
)

function PasswordSignUp({ guest, ready, onDone }: FormProps) {
  const [name, setName] = useState(guest?.name ?? '')
  const [typedHandle, setHandle] = useState<string>()
  const [password, setPassword] = useState('')
  const handle = asHandle(typedHandle ?? suggestedHandle(name))
  const form = useForm({
    check: () => nameProblem(name) ?? handleProblem(handle) ?? newPasswordProblem(password),
    problems: wrongWith(handle),
    async send() {
      await ready()
      onDone(await signUp({ handle, name: name.trim(), password }))
    },
  })
  return (
    <form className="account-form" {...form.attributes}>
      <Field
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onFocus={(event) => event.target.select()}
        hint="Shown next to what you write."
        problem={form.problem}
        ref={focusFirst}
      />
      <HandleField
        autoComplete="username"
        value={typedHandle ?? handle}
        onChange={(event) => setHandle(event.target.value)}
        hint={`Used to sign in. Others can invite and mention you as @${handle === '' ? 'handle' : handle}.`}
        problem={form.problem}
      />
      <NewPasswordField
        label="Password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        problem={form.problem}
      />
      <FormActions
        form={form}
        cancel={<Dialog.Close className="button">Cancel</Dialog.Close>}
        look="primary"
        action="Create account"
        doing="Creating…"
      />
    </form>
  )
}

const wrongWith = (handle: string): Readonly<Record<string, Problem>> => ({
  HANDLE_TAKEN: { field: 'handle', text: `@${handle} is taken. Try another handle.` },
  FORBIDDEN: { text: 'Sign-up is closed. Ask your administrator for an account.' },
})
