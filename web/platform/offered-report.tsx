/** Reporting what went wrong, drawn beside the words that say so; loaded with what draws it. */
import { useState } from 'react'
import { reportOffer } from './report-offer.ts'

/** To be drawn with the words; for other words anew (`key`). */
export function OfferedReport() {
  const [offer] = useState(reportOffer)
  if (offer === undefined) return null
  return (
    <>
      {' '}
      <button type="button" className="link-button" onClick={offer.run}>
        {offer.label}
      </button>
    </>
  )
}
