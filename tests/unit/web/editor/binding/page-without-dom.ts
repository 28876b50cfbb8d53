/**
 * An editor of the page as far as it needs no DOM: state, plugins and the binding to a Y.Doc, with
 * what a view does for plugins. Two of them exchange updates when they are told to.
 */
import { type Command, EditorState, type PluginView, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import * as Y from 'yjs'
import { fragmentName } from '../../../../../schema/document-schema.ts'
import { Binding } from '../../../../../web/editor/binding/binding.ts'
import { sharedTextPlugins } from '../../../../../web/editor/shared-text.ts'

interface PageParts {
  readonly actor: string
  readonly from?: Uint8Array
}

export class PageWithoutDom {
  readonly ydoc = new Y.Doc()
  readonly fragment = this.ydoc.getXmlFragment(fragmentName)
  readonly binding: Binding
  readonly received: Transaction[] = []
  state: EditorState
  isWritable = true
  /** What is typed is for a layer over the text. */
  writesLayer = false
  /** As a view says it while an input method holds the text. */
  composing = false
  readonly #views: readonly PluginView[]

  constructor({ actor, from }: PageParts) {
    if (from !== undefined) Y.applyUpdate(this.ydoc, from)
    this.binding = new Binding(this.fragment)
    const plugins = sharedTextPlugins(this.binding, {
      mayWrite: () => this.isWritable,
      writesLayer: () => this.writesLayer,
      author: () => actor,
    })
    this.state = EditorState.create({ doc: this.binding.known, plugins })
    const view = this as unknown as EditorView
    this.#views = plugins.flatMap((plugin) => plugin.spec.view?.(view) ?? [])
  }

  dispatch(tr: Transaction): void {
    const before = this.state
    this.state = this.state.apply(tr)
    this.received.push(tr)
    for (const view of this.#views) view.update?.(this as unknown as EditorView, before)
  }

  hasFocus(): boolean {
    return false
  }

  /** Runs a command; whether it did something. */
  run(command: Command): boolean {
    return command(this.state, (tr) => this.dispatch(tr))
  }

  /** A command that asks the view for nothing that takes a DOM. */
  runInView(command: Command): boolean {
    return command(this.state, (tr) => this.dispatch(tr), this as unknown as EditorView)
  }

  /** What is here and not there goes there, in one update. */
  sendTo(other: PageWithoutDom): void {
    const update = Y.encodeStateAsUpdate(this.ydoc, Y.encodeStateVector(other.ydoc))
    Y.applyUpdate(other.ydoc, update, 'service')
  }

  close(): void {
    for (const view of this.#views) view.destroy?.()
    this.ydoc.destroy()
  }
}
