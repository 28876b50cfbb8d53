/**
 * An agent that changes blocks in every form, one edit a request or several, on what it has just
 * read or on what it read before, and keeps account of what was done.
 */

import type { Chance } from '../chance.ts'
import type { Alphabet } from './alphabet.ts'
import { BlockForms, type Proposal } from './block-forms.ts'
import type { Homes } from './homes.ts'
import type { Read, RestWriter } from './rest-writer.ts'

export interface AgentParts {
  readonly writer: RestWriter
  readonly chance: Chance
  readonly alphabet: Alphabet
  readonly homes: Homes
  /** Told of each edit that was done. */
  readonly onDone: (form: Form) => void
}

/** An old base is brought forward for these. */
const bringable = ['replace', 'replace', 'atAnchor', 'insertBlock', 'convert', 'wrap'] as const
/** These may stand beside others in one request. */
const batchable = [...bringable, 'betweenAnchors', 'move', 'move', 'move', 'move'] as const
const all = [...batchable, 'atEdge', 'replaceAt', 'delete', 'writeAnew'] as const

export type Form = (typeof all)[number]

/** Most forms mean the revision that was read, so a keystroke that came between refuses them. */
const triesMax = 6

export class BlockAgent {
  readonly #parts: AgentParts
  readonly #forms: BlockForms
  #last: Read | undefined

  constructor(parts: AgentParts) {
    this.#parts = parts
    const { alphabet, chance, writer } = parts
    this.#forms = new BlockForms(chance, (count) => alphabet.fresh(writer.member.actor, count))
  }

  /** One request; if it is refused as a whole, another one on what stands then. */
  async act(): Promise<void> {
    const { chance, writer, homes } = this.#parts
    if (this.#last !== undefined && chance.happens(0.3)) {
      await this.#request(this.#last, bringable)
      return
    }
    const forms = chance.happens(0.3) ? batchable : all
    for (let left = triesMax; left > 0; left--) {
      this.#last = await writer.read()
      homes.see(this.#last)
      if (await this.#request(this.#last, forms)) return
    }
  }

  /** Whether anything was done. */
  async #request(read: Read, forms: readonly Form[]): Promise<boolean> {
    const { chance, writer } = this.#parts
    const count = forms === all ? 1 : chance.between(1, 4)
    const picked = Array.from({ length: count }, () => chance.pick(forms) ?? 'move')
    const made = picked.map((form) => ({ form, proposal: this.#forms[form](read) }))
    const parts = made.flatMap(({ form, proposal }) => (proposal ? [{ form, ...proposal }] : []))
    const [first] = parts
    if (first === undefined) return false
    const body = first.form === 'writeAnew' ? first.edit : { edits: parts.map(({ edit }) => edit) }
    const answer = await writer.patch({ ...body, base_revision: read.revision })
    const results = answer.body['edits'] as { ok: boolean }[] | undefined
    for (const [index, part] of parts.entries()) {
      this.#settle(part, answer.status === 200 && (results?.[index]?.ok ?? true))
    }
    return answer.status === 200
  }

  #settle({ form, words, beside, gone, deleted }: Proposal & { form: Form }, isDone: boolean) {
    const { alphabet, homes, onDone } = this.#parts
    if (!isDone) {
      alphabet.erase(words ?? '')
      return
    }
    if (words !== undefined && beside !== undefined) homes.join(words, beside)
    alphabet.erase(gone ?? '')
    homes.delete(deleted ?? [])
    onDone(form)
  }
}
