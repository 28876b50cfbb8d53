/** A handle that a name suggests. */

/** Small letters and digits without marks, words joined by a hyphen; "" where nothing is left. */
export function suggestedHandle(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 39)
    .replace(/-+$/, '')
}
