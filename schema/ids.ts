/**
 * Identifier shapes (interface §2.1): branded types, their tests and their making from random
 * bytes.
 */
import type { Runtime } from './runtime.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type Slug = Branded<'Slug'>
export type BlockId = Branded<'BlockId'>
export type ActorId = Branded<'ActorId'>

/** The actor of content that nobody can be credited with. */
export const unattributed = 'unknown:unattributed' as ActorId

/** What making a name asks of the runtime. */
type Chance = Pick<Runtime, 'randomBytes'>

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** `length` characters of [0-9a-z], each with log2(36) = 5.17 random bits. */
export function randomName(runtime: Chance, length: number): string {
  let name = ''
  while (name.length < length) {
    for (const byte of runtime.randomBytes(length + 8)) {
      if (byte < 252 && name.length < length) name += alphabet.charAt(byte % 36)
    }
  }
  return name
}

/** 20 characters: 103 random bits. */
export const newSlug = (runtime: Runtime): Slug => randomName(runtime, 20) as Slug

/** `bid_` and 16 characters: 82 random bits, enough within one document. */
export const newBlockId = (runtime: Chance): BlockId => `bid_${randomName(runtime, 16)}` as BlockId

export const isSlug = (text: string): text is Slug => /^[0-9a-z]{20}$/.test(text)
export const isBlockId = (text: unknown): text is BlockId =>
  typeof text === 'string' && /^bid_[0-9a-z]{16}$/.test(text)
