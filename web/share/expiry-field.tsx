/** The choice of an end: never, after a while, or on a day. */
import { OptionMenu } from '../platform/option-menu.tsx'
import type { Expiry } from './expiry.ts'

const ends = [
  { value: '', label: 'Never', more: 'Works until it is revoked.' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 1 week' },
  { value: '30', label: 'In 30 days' },
  { value: 'day', label: 'On a date…' },
] as const

export interface ExpiryFieldProps {
  readonly value: Expiry
  readonly onChange: (value: Expiry) => void
  readonly describedBy: string
}

export function ExpiryField({ value, onChange, describedBy }: ExpiryFieldProps) {
  return (
    <>
      <OptionMenu
        label="Expires"
        value={value.end}
        options={ends}
        onChoose={(end) => onChange({ ...value, end })}
      />
      {value.end === 'day' ? (
        <input
          className="field share-day"
          type="date"
          required
          aria-label="Expiry date"
          aria-describedby={describedBy}
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.target.value })}
        />
      ) : null}
    </>
  )
}
