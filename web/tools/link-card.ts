/**
 * Links at work: the card that shows the address of the link at the caret or under the mouse, the
 * form that writes one, and the form of an image. While a form has the focus, what it is about
 * stays marked in the text.
 */
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { isSafeAddress } from '../../schema/markdown/addresses.ts'
import type { Doors } from '../editor/commands/doors.ts'
import {
  bareUrlAround,
  isAddress,
  type LinkPlace,
  linkAround,
  selectedLink,
  setLinkAt,
} from '../editor/commands/links.ts'
import { isInCode } from '../editor/commands/nodes.ts'
import { createStore, type Readable } from '../store.ts'
import { perform } from './perform.ts'

export type LinkCard =
  | { readonly kind: 'preview'; readonly link: LinkPlace; readonly isBare: boolean }
  | { readonly kind: 'form'; readonly from: number; readonly to: number; readonly href: string }
  | { readonly kind: 'image'; readonly from: number; readonly to: number }

export interface LinkTools {
  readonly plugin: Plugin
  readonly card: Readable<LinkCard | undefined>
  /** Opens the form on a link. */
  edit(view: EditorView, place: { readonly from: number; readonly to: number }): void
  close(view: EditorView): void
  /** The mouse came to or left the card. */
  hover(view: EditorView, isOver: boolean): void
}

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

export function createLinkTools(doors: Doors): LinkTools {
  const card = createStore<LinkCard | undefined>(undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  const consider = (view: EditorView) => {
    const shown = cardOf(view)
    if (!isSame(shown, card.get())) card.set(shown)
  }
  const hoverSoon = (view: EditorView, hovered: number | undefined) => {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        const current = key.getState(view.state)?.hovered
        if (!view.isDestroyed && current !== hovered) set(view, { hovered })
      },
      hovered === undefined ? hideAfterMs : showAfterMs,
    )
  }
  const edit = (view: EditorView, { from, to }: { readonly from: number; readonly to: number }) =>
    set(view, { form: { kind: 'form', from, to }, hovered: undefined })
  const plugin = new Plugin<LinkState>({
    key,
    state: { init: () => nothing, apply: next },
    props: {
      decorations(state) {
        const form = key.getState(state)?.form
        if (form === undefined || form.from === form.to) return null
        const kept = Decoration.inline(form.from, form.to, { class: 'kept-selection' })
        return DecorationSet.create(state.doc, [kept])
      },
      handleKeyDown(view, event) {
        const shown = card.get()
        if (event.key !== 'Escape' || shown?.kind !== 'preview') return false
        set(view, { hovered: undefined, dismissed: shown.link.from })
        return true
      },
      handlePaste(view, event) {
        const text = event.clipboardData?.getData('text/plain').trim() ?? ''
        const { selection } = view.state
        const { $from, $to, empty } = selection
        if (empty || !isAddress(text) || !isSafeAddress(text)) return false
        if (!$from.sameParent($to) || isInCode($from) || !$from.parent.inlineContent) return false
        return perform(view, setLinkAt(selection, { href: text }))
      },
      handleDOMEvents: {
        mouseover(view, event) {
          const link = event.target instanceof Element ? event.target.closest('a[href]') : null
          if (link === null || event.buttons > 0) hoverSoon(view, undefined)
          else hoverSoon(view, view.posAtDOM(link, 0) + 1)
          return false
        },
        mouseleave(view) {
          hoverSoon(view, undefined)
          return false
        },
        focus: (view) => {
          setTimeout(() => !view.isDestroyed && consider(view))
          return false
        },
        blur: (view) => {
          setTimeout(() => !view.isDestroyed && consider(view))
          return false
        },
      },
    },
    view: (view) => {
      const stops = [
        doors.answer('link', () => {
          const { selection } = view.state
          if (!view.editable || isInCode(selection.$from)) return
          const place = selectedLink(view.state) ?? bareUrlAround(selection.$from) ?? selection
          edit(view, place)
        }),
        doors.answer('image', () => {
          const { from, to } = view.state.selection
          set(view, { form: { kind: 'image', from, to } })
        }),
      ]
      return {
        update(updated, before) {
          const state = key.getState(updated.state)
          const at = state?.dismissed
          const { from } = updated.state.selection
          const link = at === undefined ? undefined : linkAt(updated, from)
          const isGone = at !== undefined && !(link?.kind === 'preview' && link.link.from === at)
          if (isGone && !before.selection.eq(updated.state.selection)) {
            queueMicrotask(() => !updated.isDestroyed && set(updated, { dismissed: undefined }))
          }
          consider(updated)
        },
        destroy() {
          clearTimeout(timer)
          for (const stop of stops) stop()
          card.set(undefined)
        },
      }
    },
  })
  return {
    plugin,
    card,
    edit,
    close(view) {
      set(view, { form: undefined, hovered: undefined })
      view.focus()
    },
    hover(view, isOver) {
      if (isOver) clearTimeout(timer)
      else if (key.getState(view.state)?.hovered !== undefined) hoverSoon(view, undefined)
    },
  }
}
