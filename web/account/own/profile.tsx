/** The name that stands beside one's words, and the handle that one signs in with. */
import { useState } from 'react'
import { type Account, becomeGuest } from '../../api/account.ts'
import { rename } from '../../api/own-account.ts'
import { notify } from '../../platform/notices.ts'
import { Field, FormProblem, useForm } from '../form.tsx'
import { nameProblem } from '../problems.ts'
import { Section } from './section.tsx'

export interface ProfileProps {
  readonly account: Account
  readonly onChange: () => void
}

export function Profile({ account, onChange }: ProfileProps) {
  const [name, setName] = useState(account.name)
  const isChanged = name.trim() !== account.name
  const form = useForm({
    check: () => nameProblem(name),
    async send() {
      if (!isChanged) return
      await (account.guest ? becomeGuest(name.trim()) : rename(name.trim()))
      notify('Name changed.')
      onChange()
    },
  })
  return (
    <Section id="profile" title="Profile">
      <form className="settings-form" {...form.attributes}>
        <Field
          name="name"
          label="Name"
          autoComplete="name"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="Shown next to everything you write, including what you have already written."
          problem={form.problem}
        />
        <FormProblem problem={form.problem} />
        {account.guest ? null : (
          <div className="form-field">
            <span className="form-label">Handle</span>
            <p>
              <strong>@{account.handle}</strong>
            </p>
            <p className="form-hint">
              You sign in with your handle, and others use it to invite and mention you. It cannot
              be changed.
            </p>
          </div>
        )}
        <p className="settings-actions">
          <button
            type="submit"
            className="button button-primary"
            disabled={form.isBusy || !isChanged}
          >
            Save
          </button>
        </p>
      </form>
    </Section>
  )
}
