/**
 * Cards beside the lines that they belong to, one below the other: each at its line or, where the
 * one before reaches further down, right behind it. The open one stands at its line, and those
 * before it make way upwards, out of the page where there is no room. Pure.
 */
export interface CardWish {
  readonly top: number
  readonly height: number
}

const gapPx = 8

/** The tops, in the order of the wishes, which ascends. `fixed`: the index of the open one. */
export function cardTops(wishes: readonly CardWish[], fixed?: number): readonly number[] {
  const down = pushedDown(wishes, 0, 0)
  const open = fixed === undefined ? undefined : wishes[fixed]
  if (fixed === undefined || open === undefined || down[fixed] === open.top) return down
  const above = pushedUp(wishes.slice(0, fixed), open.top)
  const behind = pushedDown(wishes.slice(fixed), open.top, open.top)
  return [...above, ...behind]
}

function pushedDown(wishes: readonly CardWish[], from: number, least: number): readonly number[] {
  let next = Math.max(from, least)
  return wishes.map(({ top, height }) => {
    const at = Math.max(top, next)
    next = at + height + gapPx
    return at
  })
}

/** Each as near to its line as it can be with all of them above `end`. */
function pushedUp(wishes: readonly CardWish[], end: number): readonly number[] {
  const natural = pushedDown(wishes, 0, 0)
  const tops: number[] = []
  let next = end
  for (let index = wishes.length - 1; index >= 0; index--) {
    const { height } = wishes[index] ?? { height: 0 }
    const at = Math.min(natural[index] ?? 0, next - gapPx - height)
    tops.unshift(at)
    next = at
  }
  return tops
}
