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
  <Told title="Page not found" text="The address may be incomplete or mistyped.">
    <ToAllDocuments />
  </Told>
)

/** Too many came from here by addresses that are none. */
export const SlowedLink = () => (
  <Told
    title="Too many links that are not good"
    text="Many came from your network in a short time. Wait a minute, and open the link again; a good one opens at once."
  >
    <button type="button" className="button button-primary" onClick={() => location.reload()}>
      Try again
    </button>
  </Told>
)
