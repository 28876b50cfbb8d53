/** The choice of an end: never, after a while, or on a day. */
import { OptionMenu } from '../platform/option-menu.tsx'
import type { Ending } from './ending.ts'

const ends = [
  { value: '', label: 'Never', more: 'Works until it is revoked.' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 1 week' },
  { value: '30', label: 'In 30 days' },
  { value: 'day', label: 'On a date…' },
] as const

export interface EndFieldProps {
  readonly value: Ending
  readonly onChange: (value: Ending) => void
  readonly describedBy: string
}

export function EndField({ value, onChange, describedBy }: EndFieldProps) {
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
