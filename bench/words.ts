/** Replaces one word at a time; every word it looks for stands once in the document. */
export interface WordEdit {
  readonly old_string: string
  readonly new_string: string
  readonly [field: string]: string
}

export class Words {
  readonly #blocks: number
  readonly #versions = new Map<number, number>()
  #turn = 0

  constructor(blocks: number) {
    this.#blocks = blocks
  }

  next(): WordEdit {
    const index = (this.#turn++ * 977) % this.#blocks
    const block = index - (index % 20) + 1
    const version = this.#versions.get(block) ?? 0
    this.#versions.set(block, version + 1)
    const word = (of: number) => `word${block}${of === 0 ? '' : `v${of}`}.`
    return { old_string: word(version), new_string: word(version + 1) }
  }
}
