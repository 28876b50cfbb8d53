/**
 * The start of all pages but a document's: without the editor, so that they are there at once. What
 * one seldom goes to is loaded when one does.
 */
import './style/index.css'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { takeResetSecret } from './account/reset-secret.ts'
import { pathHere } from './api/base.ts'
import { DeadLink, Missing, SlowedLink } from './home/dead-ends.tsx'
import { HomePage } from './home/home-page.tsx'
import { takeFailedSignIn } from './home/sign-in-outcome.ts'

const AccountPage = lazy(async () => ({
  default: (await import('./home/account-page.tsx')).AccountPage,
}))
const FailedSignInPage = lazy(async () => ({
  default: (await import('./home/failed-sign-in.tsx')).FailedSignInPage,
}))
const ResetPage = lazy(async () => ({
  default: (await import('./account/reset-page.tsx')).ResetPage,
}))

const pathname = pathHere()
// Before anything else, so that it is in the address for no longer than that.
const secret = pathname === '/reset' ? takeResetSecret() : undefined
const failed = takeFailedSignIn()

function Page() {
  if (failed !== undefined) return <FailedSignInPage {...failed} />
  if (pathname.startsWith('/s/')) return <DeadLink />
  if (document.documentElement.dataset['link'] === 'RATE_LIMITED') return <SlowedLink />
  if (document.documentElement.dataset['missing'] !== undefined) return <Missing />
  if (pathname === '/account') return <AccountPage />
  if (pathname === '/reset') return <ResetPage secret={secret} />
  return <HomePage />
}

const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no root')
createRoot(root).render(
  <Suspense>
    <Page />
  </Suspense>,
)
