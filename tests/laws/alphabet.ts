/**
 * Who truly wrote what, evident from the text itself: every typed character is used once in the
 * document and recorded under its typist. All are letters to markdown, so none is ever escaped.
 */
import type { ActorId } from '../../schema/ids.ts'

const first = 0x4e00
const last = 0x9fff

export class Alphabet {
  readonly #typist = new Map<string, ActorId>()
  /** Characters that somebody took out for good. */
  readonly erased = new Set<string>()
  /** What everybody did, for the report of a failure. */
  readonly story: string[] = []
  readonly #elapsed: () => number
  #next = first

  /** The clock of the story. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed
  }

  /** So many characters nobody has used, written by this actor. */
  fresh(actor: ActorId, count: number): string {
    let text = ''
    for (let done = 0; done < count; done++) {
      if (this.#next > last) throw new RangeError('the alphabet is used up')
      const char = String.fromCharCode(this.#next++)
      this.#typist.set(char, actor)
      text += char
    }
    return text
  }

  /** Words that stand in the document before anyone else comes. */
  words(actor: ActorId, count: number): string {
    return Array.from({ length: count }, () => this.fresh(actor, 4)).join(' ')
  }

  tell(actor: ActorId, ...what: readonly unknown[]): void {
    const at = this.#elapsed().toFixed(0)
    this.story.push(`${at} ${actor.slice(-4)} ${what.map((one) => JSON.stringify(one)).join(' ')}`)
  }

  credit(text: string, actor: ActorId): void {
    for (const char of lettersOf(text)) this.#typist.set(char, actor)
  }

  typistOf(char: string): ActorId | undefined {
    return this.#typist.get(char)
  }

  erase(text: string): void {
    for (const char of lettersOf(text)) this.erased.add(char)
  }

  /** What must stand in the document, each once. */
  *standing(): Generator<string> {
    for (const char of this.#typist.keys()) if (!this.erased.has(char)) yield char
  }
}

export const isLetter = (char: string): boolean => char >= '\u4e00' && char <= '\u9fff'
export const lettersOf = (text: string): string[] => [...text].filter(isLetter)

/** The letters of markdown and where they stand in it, also as references. */
export function* lettersWithin(markdown: string): Generator<{ letter: string; at: number }> {
  for (const { 0: found, 1: code, index: at } of markdown.matchAll(/&#(\d+);|[\u4e00-\u9fff]/g)) {
    const letter = code === undefined ? found : String.fromCodePoint(Number(code))
    if (isLetter(letter)) yield { letter, at }
  }
}

/** Markdown with letters in place of references to them, which stand where an emphasis begins. */
export const withoutReferences = (markdown: string): string =>
  markdown.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
