/** Addresses that lead nowhere, and what to do there. */
import { badLink, MessagePage, ToAllDocuments } from '../app/message-page.tsx'

/** What an address of the form `/s/…` shows when it leads nowhere. */
export const DeadLink = () => (
  <MessagePage {...badLink}>
    <ToAllDocuments />
  </MessagePage>
)

/** An address of the service at which there is nothing. */
export const Missing = () => (
  <MessagePage title="Page not found" text="Check the address for typing errors.">
    <ToAllDocuments />
  </MessagePage>
)

/** Too many came from here by addresses that are none. */
export const SlowedLink = () => (
  <MessagePage
    title="Too many invalid links"
    text="Too many invalid links were opened from your network. Wait a minute and open the link again."
  >
    <button type="button" className="button button-primary" onClick={() => location.reload()}>
      Try again
    </button>
  </MessagePage>
)
