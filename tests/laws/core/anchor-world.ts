/**
 * A document whose characters are there once each, two editors with undo, an agent; threads on some
 * words.
 */
import * as Y from 'yjs'
import { Anchoring } from '../../../core/documents/threads/anchoring.ts'
import { wordsIn } from '../../../core/documents/threads/naming-words.ts'
import { placedThread } from '../../../core/documents/threads/placed.ts'
import { fragmentName } from '../../../schema/document-schema.ts'
import { Refusal } from '../../../schema/errors.ts'
import { type ActorId, newCommentId, newThreadId, type ThreadId } from '../../../schema/ids.ts'
import type { Chance } from '../../chance.ts'
import { testRuntime } from '../../unit/core/documents/model/tree-desk.ts'
import { KeptState } from '../../unit/core/documents/state/kept-state.ts'

/** What was anchored, and what readers are told of it. */
export interface Watched {
  readonly words: readonly string[]
  /** Null: it is orphaned. */
  readonly read: string | null
  /** `whole`: beside each other in one block, as they were. */
  readonly standing: 'whole' | 'parts' | 'gone'
}

class Editor {
  readonly doc = new Y.Doc()
  readonly undo: Y.UndoManager

  constructor(client: number) {
    this.doc.clientID = client
    this.undo = new Y.UndoManager(this.fragment, {
      captureTimeout: 0,
      trackedOrigins: new Set(['own']),
    })
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment(fragmentName)
  }

  act(change: () => void): void {
    this.undo.stopCapturing()
    this.doc.transact(change, 'own')
  }

  /** Each with the top-level block that it is in. */
  get texts(): { readonly text: Y.XmlText; readonly top: number }[] {
    const found: { text: Y.XmlText; top: number }[] = []
    const visit = (type: Y.XmlElement | Y.XmlText, top: number): void => {
      if (type instanceof Y.XmlText) found.push({ text: type, top })
      else for (const child of type.toArray()) visit(child as Y.XmlElement, top)
    }
    for (const [top, child] of this.fragment.toArray().entries()) {
      visit(child as Y.XmlElement, top)
    }
    return found
  }
}

const agent = 'ai:agent' as ActorId
const lettersPerWord = 4
const anyWord = /[\u4e00-\u9fff]{4}/g

const plainOf = (text: Y.XmlText): string =>
  text
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === 'string' ? insert : '\ufffc'))
    .join('')

class Words {
  readonly #chance: Chance
  #made = 0

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Of characters that nothing else has. */
  next(): string {
    const first = 0x4e00 + lettersPerWord * this.#made++
    return Array.from({ length: lettersPerWord }, (_, n) => String.fromCharCode(first + n)).join('')
  }

  #sentence = (): string =>
    Array.from({ length: this.#chance.between(3, 7) }, () => this.next()).join(' ')

  markdown(): string {
    const blocks = Array.from({ length: 7 }, (_, n) => {
      if (n === 0) return `# ${this.#sentence()}`
      if (n === 3) return `- ${this.#sentence()}\n- ${this.#sentence()}\n- ${this.#sentence()}`
      if (n === 5) return `> ${this.#sentence()}`
      return this.#sentence()
    })
    return `${blocks.join('\n\n')}\n`
  }
}

export class AnchorWorld {
  readonly #kept: KeptState
  readonly #chance: Chance
  readonly #editors: Editor[] = []
  readonly #anchored = new Map<ThreadId, readonly string[]>()
  readonly #copied = new Set<ThreadId>()
  readonly #words: Words

  private constructor(chance: Chance, kept: KeptState, words: Words) {
    this.#chance = chance
    this.#kept = kept
    this.#words = words
  }

  static async make(chance: Chance): Promise<AnchorWorld> {
    const runtime = testRuntime(chance.below(1e9))
    const words = new Words(chance)
    const kept = await KeptState.of(words.markdown(), runtime)
    const world = new AnchorWorld(chance, kept, words)
    for (const [index, name] of ['human:ann', 'human:bob'].entries()) {
      const editor = new Editor(1000 + index)
      kept.open(editor.doc, name as ActorId)
      world.#editors.push(editor)
    }
    for (let n = 0; n < 12; n++) world.#anchor()
    return world
  }

  #anchor(): void {
    const { text, threads } = this.#kept.now
    const words = [...text.toString().matchAll(anyWord)]
    const at = this.#chance.below(words.length - 1)
    const [first, second] = [words[at], words[at + 1]]
    if (first === undefined || second === undefined) return
    const gap = text.toString().slice(first.index + first[0].length, second.index)
    const isPair = gap === ' ' && this.#chance.happens(0.7)
    const last = isPair ? second : first
    const named = wordsIn(text, { from: first.index, to: last.index + last[0].length })
    const anchoring = new Anchoring(this.#kept.now, { touched: new Set(), before: new Map() })
    const anchor = named && anchoring.range(named.from, named.to)
    if (anchor === undefined) return
    const runtime = testRuntime(this.#chance.below(1e9))
    const id = newThreadId(runtime)
    const n = threads.takeNumber()
    const comment = {
      id: newCommentId(runtime),
      n: threads.takeNumber(),
      by: agent,
      at: 0,
      revision: 1,
      text: 'Hm.',
      depth: 0,
    }
    const facts = { anchor, quote: anchor.words, lead: 0, trail: 0, changedRevision: 1 }
    threads.put({ id, n, ...facts, comments: [comment] }, this.#kept.writer(threads))
    this.#anchored.set(id, isPair ? [first[0], second[0]] : [first[0]])
  }

  watched(): Watched[] {
    const { text, threads } = this.#kept.now
    const markdown = text.toString()
    const all: Watched[] = []
    for (const [id, words] of this.#anchored) {
      const thread = threads.get(id)
      if (thread === undefined) continue
      const { range } = placedThread(text, thread)
      const joined = words.join(' ')
      // An undo of a join leaves two of what another joined meanwhile; either may be the words.
      if (markdown.indexOf(joined) !== markdown.lastIndexOf(joined)) this.#copied.add(id)
      const isWhole = markdown.includes(joined) && !this.#copied.has(id)
      const isAny = [...words.join('')].some((letter) => markdown.includes(letter))
      all.push({
        words,
        read: range ? text.slice(range.from, range.to) : null,
        standing: isWhole ? 'whole' : isAny ? 'parts' : 'gone',
      })
    }
    return all
  }

  /** Something that somebody does; answers what it was. */
  async act(): Promise<string> {
    const editor = this.#chance.oneOf(this.#editors)
    const acts: readonly (readonly [string, () => boolean | Promise<boolean>])[] = [
      ['type', () => this.#type(editor)],
      ['type', () => this.#type(editor)],
      ['erase', () => this.#erase(editor)],
      ['bold', () => this.#bold(editor)],
      ['split', () => this.#split(editor)],
      ['join', () => this.#join(editor)],
      ['remove block', () => this.#removeBlock(editor)],
      ['undo', () => this.#undo(editor)],
      ['undo', () => this.#undo(editor)],
      ['redo', () => editor.undo.redo() !== null],
      ['REST replaces', () => this.#replaces()],
      ['REST moves', () => this.#moves()],
      ['REST rewrites', () => this.#rewrites()],
      ['restart', () => this.#restart()],
    ]
    for (;;) {
      const [what, act] = this.#chance.oneOf(acts)
      if (await act()) return what
    }
  }

  #place(editor: Editor): { text: Y.XmlText; plain: string; at: number } | undefined {
    const found = this.#chance.pick(editor.texts)
    if (found === undefined) return undefined
    const plain = plainOf(found.text)
    return { text: found.text, plain, at: this.#chance.below(plain.length + 1) }
  }

  #type(editor: Editor): boolean {
    const place = this.#place(editor)
    if (place === undefined) return false
    editor.act(() => place.text.insert(place.at, this.#chance.oneOf(['z', ' zz ', 'zzz'])))
    return true
  }

  #erase(editor: Editor): boolean {
    const place = this.#place(editor)
    if (place === undefined || place.at >= place.plain.length) return false
    const length = Math.min(this.#chance.between(1, 14), place.plain.length - place.at)
    editor.act(() => place.text.delete(place.at, length))
    return true
  }

  #bold(editor: Editor): boolean {
    const place = this.#place(editor)
    if (place === undefined || place.at >= place.plain.length) return false
    const length = Math.min(this.#chance.between(1, 9), place.plain.length - place.at)
    editor.act(() => place.text.format(place.at, length, { strong: {} }))
    return true
  }

  #split(editor: Editor): boolean {
    const found = this.#chance.pick(editor.texts)
    const block = found && editor.fragment.get(found.top)
    if (!found || !(block instanceof Y.XmlElement) || block.nodeName !== 'paragraph') return false
    const plain = plainOf(found.text)
    const at = this.#chance.below(plain.length)
    const id = `bid_${String(this.#chance.below(1e15)).padStart(16, '0')}`
    editor.act(() => {
      found.text.delete(at, plain.length - at)
      const paragraph = new Y.XmlElement('paragraph')
      paragraph.setAttribute('id', id)
      paragraph.insert(0, [new Y.XmlText(plain.slice(at))])
      editor.fragment.insert(found.top + 1, [paragraph])
    })
    return true
  }

  #join(editor: Editor): boolean {
    const { texts, fragment } = editor
    const at = this.#chance.below(texts.length - 1)
    const [one, two] = [texts[at], texts[at + 1]]
    if (!one || !two || two.top !== one.top + 1) return false
    const block = fragment.get(two.top)
    if (!(block instanceof Y.XmlElement) || block.nodeName !== 'paragraph') return false
    const rest = plainOf(two.text)
    editor.act(() => {
      fragment.delete(two.top, 1)
      one.text.insert(one.text.length, rest)
    })
    return true
  }

  #removeBlock(editor: Editor): boolean {
    const { fragment } = editor
    if (fragment.length < 3) return false
    const at = this.#chance.below(fragment.length)
    editor.act(() => fragment.delete(at, 1))
    return true
  }

  #undo(editor: Editor): boolean {
    return editor.undo.undo() !== null
  }

  #replaces(): boolean {
    const markdown = this.#kept.now.text.toString()
    const words = [...markdown.matchAll(anyWord)]
    const word = this.#chance.pick(words)
    if (word === undefined) return false
    return this.#patch({ old_string: word[0], new_string: this.#words.next() })
  }

  #moves(): boolean {
    const ids = [...this.#kept.now.text.blocks()].filter(({ pos }) => pos === 0).map(({ id }) => id)
    const [block, after] = [this.#chance.pick(ids), this.#chance.pick(ids)]
    if (!block || !after || block === after) return false
    return this.#patch({ move_block: block, after_block: after })
  }

  /** The blocks in another order, one of them quoted, one a heading. */
  #rewrites(): boolean {
    const blocks = this.#kept.now.text.toString().trimEnd().split('\n\n')
    const at = this.#chance.below(blocks.length)
    const [taken = ''] = blocks.splice(at, 1)
    const isPlain = /^[\u4e00-\u9fff]/.test(taken)
    const made = isPlain
      ? this.#chance.oneOf([taken, `> ${taken}`, `- ${taken}`, `## ${taken}`])
      : taken
    blocks.splice(this.#chance.below(blocks.length + 1), 0, made)
    return this.#patch({ replace_document: `${blocks.join('\n\n')}\n` })
  }

  #patch(edit: Record<string, unknown>): boolean {
    try {
      return this.#kept.patch(edit)
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  async #restart(): Promise<boolean> {
    await this.#kept.restart()
    return true
  }
}
