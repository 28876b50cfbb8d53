/**
 * Colours for code, as decorations. The grammars load when a block first names a language; after
 * that only blocks that changed are read again, at once where they are short and in idle moments
 * where they are long or many. Decorations elsewhere are mapped, never made anew.
 */
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { Grammars } from './grammars.ts'
import { languageOf } from './views/code-block.ts'

interface Highlights {
  readonly decorations: DecorationSet
  readonly grammars: Grammars | undefined
}

type Message = { readonly grammars: Grammars } | { readonly read: readonly number[] }

const key = new PluginKey<Highlights>('highlighting')
/** Longer code waits for an idle moment at each change. */
const shortMaxChars = 10_000
/** Code that is longer still stays plain. */
const codeMaxChars = 200_000
const blocksPerIdleMoment = 20

export function highlighting(): Plugin<Highlights> {
  /** Nodes whose colours are in the decorations. */
  const read = new WeakSet<Node>()
  return new Plugin<Highlights>({
    key,
    state: {
      init: () => ({ decorations: DecorationSet.empty, grammars: undefined }),
      apply: (tr, before) => applied(tr, before, read),
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
    view: (view) => new Reader(view, read),
  })
}

function applied(tr: Transaction, before: Highlights, read: WeakSet<Node>): Highlights {
  const message = tr.getMeta(key) as Message | undefined
  const grammars = message && 'grammars' in message ? message.grammars : before.grammars
  let { decorations } = before
  if (tr.docChanged) decorations = decorations.map(tr.mapping, tr.doc)
  if (grammars === undefined) return { decorations, grammars }
  const places = message && 'read' in message ? message.read : shortBlocksTouched(tr)
  for (const pos of places) {
    const node = tr.doc.nodeAt(pos)
    if (!isCode(node) || read.has(node)) continue
    read.add(node)
    const end = pos + node.nodeSize
    decorations = decorations
      .remove(decorations.find(pos + 1, end - 1))
      .add(tr.doc, coloursOf(node, { grammars, start: pos + 1 }))
  }
  const isAsBefore = decorations === before.decorations && grammars === before.grammars
  return isAsBefore ? before : { decorations, grammars }
}

const isCode = (node: Node | null): node is Node => node?.type.name === 'code_block'

function shortBlocksTouched(tr: Transaction): number[] {
  const places = new Set<number>()
  for (const [index, map] of tr.mapping.maps.entries()) {
    const onward = tr.mapping.slice(index + 1)
    map.forEach((_from, _to, from, to) => {
      const [start, end] = [onward.map(from, -1), onward.map(to, 1)]
      tr.doc.nodesBetween(start, Math.min(end, tr.doc.content.size), (node, pos) => {
        if (isCode(node) && node.content.size <= shortMaxChars) places.add(pos)
        return !node.isTextblock
      })
    })
  }
  return [...places]
}

interface Place {
  readonly grammars: Grammars
  readonly start: number
}

function coloursOf(node: Node, { grammars, start }: Place): Decoration[] {
  const language = languageOf(node.attrs['params'] as string)
  if (node.content.size > codeMaxChars) return []
  return grammars
    .spans(language, node.textContent)
    .map(({ from, to, names }) => Decoration.inline(start + from, start + to, { class: names }))
}

/** Loads the grammars once they are wanted, and reads in idle moments what is not yet read. */
class Reader {
  readonly #view: EditorView
  readonly #read: WeakSet<Node>
  #isLoading = false
  #isWaiting = false

  constructor(view: EditorView, read: WeakSet<Node>) {
    this.#view = view
    this.#read = read
    this.update(view)
  }

  update(view: EditorView, before?: EditorState): void {
    if (before?.doc === view.state.doc && key.getState(before) === key.getState(view.state)) return
    if (!this.#isWaiting && this.#unread(1).length > 0) this.#wait()
  }

  #wait(): void {
    this.#isWaiting = true
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 50))
    idle(() => {
      this.#isWaiting = false
      if (this.#view.isDestroyed) return
      if (key.getState(this.#view.state)?.grammars === undefined) void this.#load()
      else this.#tell({ read: this.#unread(blocksPerIdleMoment) })
    })
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    const { grammars } = await import('./grammars.ts')
    if (!this.#view.isDestroyed) this.#tell({ grammars })
  }

  #tell(message: Message): void {
    this.#view.dispatch(this.#view.state.tr.setMeta(key, message).setMeta('addToHistory', false))
  }

  /** The first blocks with a language whose colours are not there. */
  #unread(count: number): number[] {
    const places: number[] = []
    this.#view.state.doc.descendants((node, pos) => {
      if (places.length >= count) return false
      const isNamed = isCode(node) && languageOf(node.attrs['params'] as string) !== ''
      if (isNamed && !this.#read.has(node)) places.push(pos)
      return !node.isTextblock
    })
    return places
  }
}
