/** The code block in which a word is replaced wherever it stands. */
export const replacedPlaces = 14_000
export const lineOf = (name: string, index: number): string => `${name} = ${index}`
