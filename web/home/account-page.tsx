/** One's account: name, password, sessions, owner keys, agents, and its end. Loaded on first use. */

import { type ReactNode, useEffect, useState } from 'react'
import { AccountLayer } from '../account/account-layer.tsx'
import { askForAccount } from '../account/ask.ts'
import { Agents } from '../account/own/agents.tsx'
import { EndAccount } from '../account/own/end-account.tsx'
import { OwnerKeys } from '../account/own/owner-keys.tsx'
import { Password } from '../account/own/password.tsx'
import { Profile } from '../account/own/profile.tsx'
import { Sessions } from '../account/own/sessions.tsx'
import { type Account, type SignInWays, waysAndAccount } from '../api/account.ts'
import { troubleWords } from '../api/trouble.ts'
import { NoticeRegion } from '../app/notice-region.tsx'
import { nobody, rememberActor } from '../platform/this-browser.ts'
import { HomeBar } from './home-bar.tsx'

interface Known {
  readonly account: Account | undefined
  readonly ways: SignInWays
}

export function AccountPage() {
  const [known, setKnown] = useState<Known>()
  const [problem, setProblem] = useState<string>()
  const load = () => {
    setProblem(undefined)
    waysAndAccount().then(
      ({ account, ways }) => {
        rememberActor(account?.actor_id ?? nobody)
        setKnown({ account, ways })
      },
      (error) => setProblem(troubleWords(error)),
    )
  }
  useEffect(load, [])
  useEffect(() => {
    document.title = 'Account · Scriptorium'
    if (known !== undefined) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [known])
  const account = known?.account
  return (
    <>
      <HomeBar
        account={known && (account ?? 'nobody')}
        query={undefined}
        onQuery={() => undefined}
      />
      <main className="settings">
        <h1>Account</h1>
        {problem !== undefined ? (
          <p className="rows-trouble" role="alert">
            {problem}
            <button type="button" className="button button-line" onClick={load}>
              Try again
            </button>
          </p>
        ) : known === undefined ? (
          <Outline />
        ) : account === undefined ? (
          <SignedOut />
        ) : (
          <Sections account={account} ways={known.ways} onChange={load} />
        )}
      </main>
      <AccountLayer account={account} onSignedIn={load} onSettled={load} />
      <NoticeRegion />
    </>
  )
}

const Outline = () => (
  <div aria-hidden className="settings-outline">
    {[0, 1, 2].map((at) => (
      <div key={at} className="row-outline">
        <span style={{ width: `${60 - at * 14}%` }} />
      </div>
    ))}
  </div>
)

const SignedOut = () => (
  <>
    <p className="settings-lead">You are not signed in.</p>
    <p className="home-actions">
      <SignButton isPrimary label="Sign in" mode="sign-in" />
      <SignButton label="Create an account" mode="sign-up" />
    </p>
  </>
)

interface SignButtonProps {
  readonly label: string
  readonly mode: 'sign-in' | 'sign-up'
  readonly isPrimary?: boolean
}

const SignButton = ({ label, mode, isPrimary = false }: SignButtonProps): ReactNode => (
  <button
    type="button"
    className={`button ${isPrimary ? 'button-primary' : 'button-line'}`}
    onClick={() => askForAccount(mode)}
  >
    {label}
  </button>
)

interface SectionsProps {
  readonly account: Account
  readonly ways: SignInWays
  readonly onChange: () => void
}

function Sections({ account, ways, onChange }: SectionsProps) {
  const hasPassword = ways.account?.password ?? !account.guest
  return (
    <>
      {account.guest ? (
        <div className="settings-note">
          <p>
            You are signed in as a guest. A guest can only be used in this browser. Create an
            account to sign in from any device and keep your documents.
          </p>
          <p className="home-actions">
            <SignButton isPrimary label="Keep my documents" mode="sign-up" />
            <SignButton label="Sign in" mode="sign-in" />
          </p>
        </div>
      ) : null}
      <Profile account={account} onChange={onChange} />
      {account.guest ? null : (
        <>
          <Password account={account} hasPassword={hasPassword} ways={ways} onChange={onChange} />
          <Sessions />
          <OwnerKeys />
        </>
      )}
      <Agents />
      <EndAccount account={account} hasPassword={hasPassword} />
    </>
  )
}
