/** Friendly names to write under until one gives another: an adjective and an animal. */

const manners = [
  'Amber',
  'Brave',
  'Bright',
  'Calm',
  'Clever',
  'Curious',
  'Eager',
  'Gentle',
  'Golden',
  'Happy',
  'Jolly',
  'Kind',
  'Lively',
  'Lucky',
  'Mellow',
  'Merry',
  'Nimble',
  'Patient',
  'Quick',
  'Quiet',
  'Silver',
  'Sunny',
  'Swift',
  'Witty',
]
const animals = [
  'Badger',
  'Beaver',
  'Crane',
  'Dolphin',
  'Falcon',
  'Finch',
  'Fox',
  'Hare',
  'Hedgehog',
  'Heron',
  'Ibis',
  'Jay',
  'Kestrel',
  'Lark',
  'Lynx',
  'Marten',
  'Otter',
  'Owl',
  'Panda',
  'Puffin',
  'Robin',
  'Seal',
  'Swallow',
  'Wren',
]

const oneOf = (words: readonly string[]): string =>
  words[(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % words.length] ?? ''

export const newGuestName = (): string => `${oneOf(manners)} ${oneOf(animals)}`
