/**
 * Links at work: the card that shows the address of the link at the caret or under the mouse, the
 * form that writes one, and the form of an image. While a form has the focus, what it is about
 * stays marked in the text.
 */
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { isSafeAddress } from '../../schema/markdown/addresses.ts'
import {
  bareUrlAround,
  isAddress,
  type LinkRange,
  linkAround,
  selectedLink,
  setLinkAt,
} from '../editor/commands/links.ts'
import type { PageActions } from '../editor/commands/page-actions.ts'
import type { DocRange } from '../editor/model/doc-range.ts'
import { isInCode } from '../editor/model/nodes.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { perform } from './perform.ts'

export type LinkCard =
  | { readonly kind: 'preview'; readonly link: LinkRange; readonly isBare: boolean }
  | { readonly kind: 'form'; readonly from: number; readonly to: number; readonly href: string }
  | { readonly kind: 'image'; readonly from: number; readonly to: number }

interface Form {
  readonly kind: 'form' | 'image'
  readonly from: number
  readonly to: number
}

interface LinkState {
  readonly form: Form | undefined
  readonly hovered: number | undefined
  /** The link whose card was closed; it stays closed until the caret has left. */
  readonly dismissed: number | undefined
}

const key = new PluginKey<LinkState>('links')
const nothing: LinkState = { form: undefined, hovered: undefined, dismissed: undefined }
const showAfterMs = 300
const hideAfterMs = 250

function next(tr: Transaction, state: LinkState): LinkState {
  const meta = tr.getMeta(key) as Partial<LinkState> | undefined
  const { form, hovered, dismissed } = state
  const mapped: LinkState = !tr.docChanged
    ? state
    : {
        form: form && { ...form, from: tr.mapping.map(form.from), to: tr.mapping.map(form.to) },
        hovered: hovered === undefined ? undefined : tr.mapping.map(hovered),
        dismissed: dismissed === undefined ? undefined : tr.mapping.map(dismissed),
      }
  return meta === undefined ? mapped : { ...mapped, ...meta }
}

const set = (view: EditorView, change: Partial<LinkState>) =>
  view.dispatch(view.state.tr.setMeta(key, change).setMeta('addToHistory', false))

function linkAt(view: EditorView, pos: number): LinkCard | undefined {
  const $pos = view.state.doc.resolve(Math.min(pos, view.state.doc.content.size))
  const link = linkAround($pos)
  if (link !== undefined) return { kind: 'preview', link, isBare: false }
  const bare = bareUrlAround($pos)
  return bare && { kind: 'preview', link: bare, isBare: true }
}

function cardOf(view: EditorView): LinkCard | undefined {
  const { form, hovered, dismissed } = key.getState(view.state) ?? nothing
  if (form !== undefined) {
    const { from, to, kind } = form
    const $from = view.state.doc.resolve(from)
    const ofLeaf = $from.nodeAfter?.attrs['href'] as string | null | undefined
    const href = ofLeaf ?? linkAround($from)?.href ?? ''
    return kind === 'form' ? { kind, from, to, href } : { kind, from, to }
  }
  const { selection } = view.state
  if (!selection.empty && view.hasFocus()) return undefined
  if (hovered !== undefined) return linkAt(view, hovered)
  if (!selection.empty || !view.hasFocus() || !view.editable) return undefined
  const card = linkAt(view, selection.from)
  return card?.kind === 'preview' && card.link.from === dismissed ? undefined : card
}

const isSame = (one: LinkCard | undefined, other: LinkCard | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

function keptSelection(state: EditorState): DecorationSet | null {
  const form = key.getState(state)?.form
  if (form === undefined || form.from === form.to) return null
  const kept = Decoration.inline(form.from, form.to, { class: 'kept-selection' })
  return DecorationSet.create(state.doc, [kept])
}

/** An address pasted over a selection links it. */
function linkByPaste(view: EditorView, event: ClipboardEvent): boolean {
  const text = event.clipboardData?.getData('text/plain').trim() ?? ''
  const { selection } = view.state
  const { $from, $to, empty } = selection
  if (empty || !isAddress(text) || !isSafeAddress(text)) return false
  if (!$from.sameParent($to) || isInCode($from) || !$from.parent.inlineContent) return false
  return perform(view, setLinkAt(selection, { href: text }))
}

export class LinkTools {
  readonly plugin: Plugin
  readonly #actions: PageActions
  readonly #card = createStore<LinkCard | undefined>(undefined)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(actions: PageActions) {
    this.#actions = actions
    this.plugin = this.#makePlugin()
  }

  get card(): Readable<LinkCard | undefined> {
    return this.#card
  }

  /** Opens the form on a link. */
  edit(view: EditorView, { from, to }: DocRange): void {
    set(view, { form: { kind: 'form', from, to }, hovered: undefined })
  }

  close(view: EditorView): void {
    set(view, { form: undefined, hovered: undefined })
    view.focus()
  }

  /** The mouse came to or left the card. */
  hover(view: EditorView, isOver: boolean): void {
    if (isOver) clearTimeout(this.#timer)
    else if (key.getState(view.state)?.hovered !== undefined) this.#hoverSoon(view, undefined)
  }

  #hoverSoon(view: EditorView, hovered: number | undefined): false {
    clearTimeout(this.#timer)
    const wait = hovered === undefined ? hideAfterMs : showAfterMs
    this.#timer = setTimeout(() => {
      if (view.isDestroyed || key.getState(view.state)?.hovered === hovered) return
      set(view, { hovered })
    }, wait)
    return false
  }

  #consider(view: EditorView): void {
    const shown = cardOf(view)
    if (!isSame(shown, this.#card.get())) this.#card.set(shown)
  }

  /** Once the focus is where it goes. */
  #considerLater(view: EditorView): false {
    setTimeout(() => !view.isDestroyed && this.#consider(view))
    return false
  }

  #onMouse(view: EditorView, { target, buttons }: MouseEvent): false {
    const link = target instanceof Element ? target.closest('a[href]') : null
    const isOver = link !== null && buttons === 0
    return this.#hoverSoon(view, isOver ? view.posAtDOM(link, 0) + 1 : undefined)
  }

  /** Escape closes the card until the caret has left the link. */
  #dismiss(view: EditorView): boolean {
    const shown = this.#card.get()
    if (shown?.kind !== 'preview') return false
    set(view, { hovered: undefined, dismissed: shown.link.from })
    return true
  }

  #forgetDismissed(view: EditorView, before: EditorState): void {
    const dismissed = key.getState(view.state)?.dismissed
    const { selection } = view.state
    if (dismissed === undefined || before.selection.eq(selection)) return
    const at = linkAt(view, selection.from)
    if (at?.kind === 'preview' && at.link.from === dismissed) return
    queueMicrotask(() => !view.isDestroyed && set(view, { dismissed: undefined }))
  }

  #handleActions(view: EditorView): () => void {
    const stops = [
      this.#actions.handle('link', () => {
        const { selection } = view.state
        if (!view.editable || isInCode(selection.$from)) return
        const range = selectedLink(view.state) ?? bareUrlAround(selection.$from) ?? selection
        this.edit(view, range)
      }),
      this.#actions.handle('image', () => {
        const { from, to } = view.state.selection
        set(view, { form: { kind: 'image', from, to } })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  #makePlugin(): Plugin<LinkState> {
    return new Plugin<LinkState>({
      key,
      state: { init: () => nothing, apply: next },
      props: {
        decorations: keptSelection,
        handlePaste: linkByPaste,
        handleKeyDown: (view, event) => event.key === 'Escape' && this.#dismiss(view),
        handleDOMEvents: {
          mouseover: (view, event) => this.#onMouse(view, event),
          mouseleave: (view) => this.#hoverSoon(view, undefined),
          focus: (view) => this.#considerLater(view),
          blur: (view) => this.#considerLater(view),
        },
      },
      view: (view) => {
        const stop = this.#handleActions(view)
        return {
          update: (updated, before) => {
            this.#forgetDismissed(updated, before)
            this.#consider(updated)
          },
          destroy: () => {
            clearTimeout(this.#timer)
            stop()
            this.#card.set(undefined)
          },
        }
      },
    })
  }
}
