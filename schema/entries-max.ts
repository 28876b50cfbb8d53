/**
 * The bound of an LRU cache as a number of entries. Its own option for that takes the room of all
 * of them when it is made, at each start.
 */
export const entriesMax = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
