/** Emoji by their names; loaded when the first is asked for. */
import { gemoji } from 'gemoji'

export interface Emoji {
  readonly emoji: string
  readonly name: string
}

const shownMax = 8

/** The emoji of exactly this name. */
export function emojiNamed(name: string): Emoji | undefined {
  const found = gemoji.find(({ names }) => names.includes(name))
  return found && { emoji: found.emoji, name }
}

/** Those whose name begins so, then those that say so elsewhere in name, tags or description. */
export function emojiFor(filter: string): readonly Emoji[] {
  const wanted = filter.toLowerCase()
  const ranks: [number, Emoji][] = []
  for (const { emoji, names, tags, description } of gemoji) {
    const name = names.find((one) => one.startsWith(wanted)) ?? names[0]
    const words = [...names, ...tags, ...description.split(' ')].flatMap((one) => one.split('_'))
    const rank = names.includes(wanted)
      ? 0
      : name?.startsWith(wanted)
        ? 1
        : words.some((word) => word.toLowerCase().startsWith(wanted))
          ? 2
          : 3
    if (name !== undefined && rank < 3) ranks.push([rank, { emoji, name }])
  }
  return ranks
    .sort(([a], [b]) => a - b)
    .slice(0, shownMax)
    .map(([, emoji]) => emoji)
}
