/**
 * What became of signing in with the provider of identities, where it did not work: said in words,
 * with the way to try again and the way back. Loaded on first use.
 */
import { linkAddress, providerAddress } from '../api/account.ts'
import { under } from '../api/base.ts'
import { MessagePage } from '../app/message-page.tsx'
import { type FailedSignIn, failedWords } from './sign-in-outcome.ts'

export function FailedSignInPage(failed: FailedSignIn) {
  const { back, isLinking } = failed
  return (
    <MessagePage {...failedWords(failed)}>
      <a className="button button-primary" href={isLinking ? linkAddress : providerAddress(back)}>
        Try again
      </a>
      <a className="button" href={under(back)}>
        {back === '/' ? 'All documents' : back === '/account' ? 'Account' : 'Back to the document'}
      </a>
    </MessagePage>
  )
}
