/** How many of something there are, in words. */
export const countedNoun = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`}`
