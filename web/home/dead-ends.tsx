/** Addresses that lead nowhere, and what to do there. */
import { badLink, ToAllDocuments, Told } from '../app/told.tsx'

/** What an address of the form `/s/…` shows when it leads nowhere. */
export const DeadLink = () => (
  <Told {...badLink}>
    <ToAllDocuments />
  </Told>
)

/** An address of the service at which there is nothing. */
export const Missing = () => (
  <Told title="Page not found" text="Check the address for typing errors.">
    <ToAllDocuments />
  </Told>
)

/** Too many came from here by addresses that are none. */
export const SlowedLink = () => (
  <Told
    title="Too many invalid links"
    text="Too many invalid links were opened from your network. Wait a minute and open the link again."
  >
    <button type="button" className="button button-primary" onClick={() => location.reload()}>
      Try again
    </button>
  </Told>
)
