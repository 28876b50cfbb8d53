/** Numbers of a sample, and how they are written. */
export const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)

/** The value below which that share of the sample lies; NaN for an empty one. */
export function quantile(values: readonly number[], share: number): number {
  const all = sorted(values)
  return all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Three significant digits. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)))
}

export const ms = (value: number): string => `${digits(value)} ms`
export const times = (value: number): string => `${digits(value)} ×`
export const kb = (bytes: number): string => `${digits(bytes / 1024)} KB`
export const mb = (bytes: number): string => `${digits(bytes / 1024 / 1024)} MB`
