/**
 * Colours for code, as decorations. The grammars load when a block in sight first names a language.
 * Code is read once, nodes being immutable: at once where it is short and little, in idle moments
 * where it is long or there is much of it.
 */
import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, type EditorView } from 'prosemirror-view'
import { languageOf } from './commands/code.ts'
import type { Grammars } from './grammars.ts'
import type { DocRange } from './model/doc-range.ts'
import { ViewportDecorations } from './viewport/viewport-decorations.ts'

/** Longer code waits for an idle moment at each change. */
const shortMaxChars = 10_000
/** Code that is longer still stays plain. */
const codeMaxChars = 200_000
const blocksAtOnce = 20

type Spans = ReturnType<Grammars['spans']>

export function highlighting(): readonly Plugin[] {
  const colours = new Colours()
  const drawn = new ViewportDecorations('highlighting', (doc, from, to) =>
    colours.draw(doc, from, to),
  )
  return [drawn.plugin, new Plugin({ view: (view) => new Reader(view, colours, drawn) })]
}

function nameOf(node: Node): string {
  return node.type.name === 'code_block' ? languageOf(node.attrs['params'] as string) : ''
}

function codeIn(doc: Node, { from, to }: DocRange): Map<number, Node> {
  const found = new Map<number, Node>()
  if (from >= to) return found
  doc.nodesBetween(from, to, (node, pos) => {
    if (nameOf(node) !== '') found.set(pos, node)
    return !node.isTextblock
  })
  return found
}

/** What has been read, by the node it was read from. */
class Colours {
  grammars: Grammars | undefined
  readonly #read = new WeakMap<Node, Spans>()

  draw(doc: Node, from: number, to: number): Decoration[] {
    const colours: Decoration[] = []
    let left = blocksAtOnce
    for (const [pos, node] of codeIn(doc, { from, to })) {
      const isDue = node.content.size <= shortMaxChars && !this.#read.has(node) && left-- > 0
      if (isDue) this.read(node)
      for (const { from: start, to: end, names } of this.#read.get(node) ?? []) {
        colours.push(Decoration.inline(pos + 1 + start, pos + 1 + end, { class: names }))
      }
    }
    return colours
  }

  isRead(node: Node): boolean {
    return this.#read.has(node)
  }

  read(node: Node): void {
    if (this.grammars === undefined) return
    const isTooLong = node.content.size > codeMaxChars
    this.#read.set(node, isTooLong ? [] : this.grammars.spans(nameOf(node), node.textContent))
  }
}

/** Loads the grammars once they are wanted, and reads in idle moments what is not yet read. */
class Reader {
  readonly #view: EditorView
  readonly #colours: Colours
  readonly #drawn: ViewportDecorations
  #isWaiting = false
  #looked: readonly unknown[] = []

  constructor(view: EditorView, colours: Colours, drawn: ViewportDecorations) {
    this.#view = view
    this.#colours = colours
    this.#drawn = drawn
    this.update()
  }

  update(): void {
    const { from, to } = this.#drawn.range(this.#view)
    const looks = [this.#view.state.doc, from, to]
    if (this.#isWaiting || looks.every((part, index) => part === this.#looked[index])) return
    this.#looked = looks
    if (this.#unread().length > 0) this.#wait()
  }

  #wait(): void {
    this.#isWaiting = true
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 50))
    idle(() => void this.#go())
  }

  async #go(): Promise<void> {
    const isLoaded = await this.#load()
    if (this.#view.isDestroyed) return
    this.#isWaiting = false
    if (!isLoaded) return
    for (const node of this.#unread().slice(0, blocksAtOnce)) this.#colours.read(node)
    this.#looked = []
    this.#drawn.redraw(this.#view)
  }

  /** False where they cannot be had: with the next change they are asked for again. */
  async #load(): Promise<boolean> {
    try {
      this.#colours.grammars ??= (await import('./grammars.ts')).grammars
      return true
    } catch {
      return false
    }
  }

  #unread(): Node[] {
    const code = codeIn(this.#view.state.doc, this.#drawn.range(this.#view))
    return [...code.values()].filter((node) => !this.#colours.isRead(node))
  }
}
