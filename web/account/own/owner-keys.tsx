/** Owner keys: by one a script makes documents in one's name, and does nothing else. */
import { useState } from 'react'
import { listOwnerKeys, makeOwnerKey, revokeOwnerKey } from '../../api/own-account.ts'
import { Field, FormProblem, useForm } from '../form.tsx'
import { Confirm } from './confirm.tsx'
import { SecretOnce } from './secret-once.tsx'
import { ListedItem, LoadedList, Section, useLoaded } from './section.tsx'
import { Time } from './sessions.tsx'

export function OwnerKeys() {
  const loaded = useLoaded(listOwnerKeys)
  const [name, setName] = useState('')
  const [made, setMade] = useState<string>()
  const form = useForm({
    check: () =>
      name.trim() === '' ? { field: 'name', text: 'Enter a name for the key.' } : undefined,
    async send() {
      setMade((await makeOwnerKey(name.trim())).key)
      setName('')
      loaded.reload()
    },
  })
  return (
    <Section
      id="owner-keys"
      title="Owner keys"
      lead="A script with an owner key can create documents in your account and register temporary agents. It cannot read or change your documents."
    >
      <LoadedList loaded={loaded} label="Owner keys" empty="You have no owner keys.">
        {(key) => (
          <ListedItem
            key={key.key_id}
            title={key.name}
            more={
              <>
                Created <Time iso={key.created_at} /> ·{' '}
                {key.last_used_at === null ? (
                  'never used'
                ) : (
                  <>
                    used <Time iso={key.last_used_at} />
                  </>
                )}
              </>
            }
            action={
              <Confirm
                button="Revoke"
                label={`Revoke ${key.name}`}
                title={`Revoke “${key.name}”?`}
                text="Scripts that use this key can no longer create documents in your account. Documents that they created stay yours."
                action="Revoke"
                act={async () => {
                  await revokeOwnerKey(key.key_id)
                  loaded.reload()
                }}
              />
            }
          />
        )}
      </LoadedList>
      {made !== undefined ? (
        <SecretOnce secret={made} label="Owner key" onDone={() => setMade(undefined)}>
          Send it as <code>Authorization: Bearer ark_…</code> to <code>POST /docs</code>.
        </SecretOnce>
      ) : (
        <form className="settings-add" {...form.attributes}>
          <Field
            name="name"
            label="Key name"
            placeholder="Nightly report"
            autoComplete="off"
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.target.value)}
            problem={form.problem}
          />
          <button type="submit" className="button button-line" disabled={form.isBusy}>
            Create key
          </button>
          <FormProblem problem={form.problem} />
        </form>
      )}
    </Section>
  )
}
