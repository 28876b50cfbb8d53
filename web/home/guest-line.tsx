/** Says to a guest, in one quiet line, whose documents these are and how to keep them. */
import { askForAccount } from '../account/ask.ts'
import type { Account } from '../api/account.ts'

export const GuestLine = ({ account }: { readonly account: Account }) => (
  <p className="guest-line">
    <span>
      You are signed in as the guest <strong>{account.name}</strong>. Your documents are only
      available in this browser.
    </span>
    <button type="button" className="button button-line" onClick={() => askForAccount('sign-up')}>
      Keep my documents
    </button>
  </p>
)
