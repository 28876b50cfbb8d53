/** Handles as people type them, and those that a name suggests. */

/** Handles are small letters; who types an @ before one means the same. */
export const asHandle = (typed: string): string => typed.trim().toLowerCase().replace(/^@/, '')

/** Small letters and digits without marks, words joined by a hyphen; "" where nothing is left. */
export function suggestedHandle(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 39)
    .replace(/-$/, '')
}
