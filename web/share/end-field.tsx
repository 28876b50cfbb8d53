/** The choice of an end: never, after a while, or on a day. */
import { OptionMenu } from '../platform/option-menu.tsx'
import type { Ending } from './ending.ts'

const ends = [
  { value: '', label: 'Never ends', more: 'It lives as long as the document.' },
  { value: '1', label: 'For a day' },
  { value: '7', label: 'For a week' },
  { value: '30', label: 'For 30 days' },
  { value: 'day', label: 'Until a day…' },
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
        label="Ends"
        value={value.end}
        options={ends}
        onChoose={(end) => onChange({ ...value, end })}
      />
      {value.end === 'day' ? (
        <input
          className="field share-day"
          type="date"
          required
          aria-label="Last day"
          aria-describedby={describedBy}
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.target.value })}
        />
      ) : null}
    </>
  )
}
