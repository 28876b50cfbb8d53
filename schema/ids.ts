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
export type ThreadId = Branded<'ThreadId'>
/** A UUID. */
export type CommentId = Branded<'CommentId'>

/** The actor of content that nobody can be credited with. */
export const unattributed = 'unknown:unattributed' as ActorId

/** Tokens of one document and nobody: they have no handle to be called by, and no inbox. */
export const isNameless = (id: ActorId): boolean =>
  !/^(?:human|ai):/.test(id) || id.startsWith('ai:anon.tkn.')

/** What making a name asks of the runtime. */
type Chance = Pick<Runtime, 'randomBytes'>

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** `length` characters of [0-9a-z], each with log2(36) = 5.17 random bits. */
export function randomName(runtime: Chance, length: number): string {
  const codes: number[] = []
  while (codes.length < length) {
    for (const byte of runtime.randomBytes(length + 8)) {
      if (byte < 252 && codes.length < length) codes.push(alphabet.charCodeAt(byte % 36))
    }
  }
  // At once: what is put together letter by letter is a tree of texts.
  return String.fromCharCode(...codes)
}

/** 20 characters: 103 random bits. */
export const newSlug = (runtime: Runtime): Slug => randomName(runtime, 20) as Slug

/** `bid_` and 16 characters: 82 random bits, enough within one document. */
export const newBlockId = (runtime: Chance): BlockId => `bid_${randomName(runtime, 16)}` as BlockId

/** `thr_` and 20 characters: 103 random bits. */
export const newThreadId = (runtime: Chance): ThreadId =>
  `thr_${randomName(runtime, 20)}` as ThreadId

/** Version 4 (RFC 9562): 122 random bits. */
export function newCommentId(runtime: Chance): CommentId {
  const bytes = Array.from(runtime.randomBytes(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const groups = [0, 8, 12, 16, 20].map((at, n) => hex.slice(at, [8, 12, 16, 20, 32][n]))
  return groups.join('-') as CommentId
}

export const isSlug = (text: string): text is Slug => /^[0-9a-z]{20}$/.test(text)
export const isBlockId = (text: unknown): text is BlockId =>
  typeof text === 'string' && /^bid_[0-9a-z]{16}$/.test(text)
