/**
 * Which table cell and which code block a person is at: those under the mouse, else those of the
 * caret. What stands beside them is drawn from this.
 */
import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { depthOf, nodes } from '../editor/model/nodes.ts'
import { createStore, type Readable } from '../platform/store.ts'
import { elementAt } from './units-on-page.ts'

export interface ActiveBlocks {
  readonly cell: HTMLElement | undefined
  readonly code: HTMLElement | undefined
  /** What the fence of the code block says. */
  readonly params: string
  /** Whether its language is being picked; until that ends it stays the active block. */
  readonly isPicking: boolean
}

export interface ActiveBlocksTool {
  readonly plugin: Plugin
  readonly state: Readable<ActiveBlocks>
  /** Opens or closes the languages of the active code block. */
  pick(isPicking: boolean): void
}

type Place = Omit<ActiveBlocks, 'isPicking'>

const nowhere: Place = { cell: undefined, code: undefined, params: '' }

const isCell = ({ type }: Node) => type === nodes.table_cell || type === nodes.table_header
const isCode = ({ type }: Node) => type === nodes.code_block

function around(view: EditorView, pos: number): Place {
  const $pos = view.state.doc.resolve(Math.min(pos, view.state.doc.content.size))
  const element = (depth: number | undefined) =>
    depth === undefined ? undefined : elementAt(view, $pos.before(depth))
  const code = depthOf($pos, isCode)
  return {
    cell: element(depthOf($pos, isCell)),
    code: element(code),
    params: code === undefined ? '' : ($pos.node(code).attrs['params'] as string),
  }
}

export function createActiveBlocks(): ActiveBlocksTool {
  const shown = createStore<ActiveBlocks>({ ...nowhere, isPicking: false })
  let hovered: Element | undefined
  const find = (view: EditorView): Place => {
    if (!view.editable) return nowhere
    const under = hovered?.isConnected ? around(view, view.posAtDOM(hovered, 0)) : nowhere
    const at = view.hasFocus() ? around(view, view.state.selection.from) : nowhere
    const { code, params } = under.code === undefined ? at : under
    return { cell: under.cell ?? at.cell, code, params }
  }
  const consider = (view: EditorView) => {
    const { cell, code, params } = find(view)
    const old = shown.get()
    if (old.cell !== cell || old.code !== code || old.params !== params) {
      shown.set({ cell, code, params, isPicking: old.isPicking && old.code === code })
    }
  }
  const pick = (isPicking: boolean) => shown.set({ ...shown.get(), isPicking })
  /** While a menu of the tools is open, what it belongs to stays. */
  const isHeld = () => {
    const { code, isPicking } = shown.get()
    return isPicking ? code?.isConnected === true : isInTools()
  }
  const later = (view: EditorView) => {
    setTimeout(() => !view.isDestroyed && !isHeld() && consider(view))
    return false
  }
  const plugin = new Plugin({
    props: {
      handleDOMEvents: {
        mouseover(view, event) {
          const { target } = event
          if (!(target instanceof Element) || event.buttons > 0) return false
          const next = target.closest('td, th') ?? codeAt(target)
          if (next === hovered) return false
          hovered = next
          if (!isHeld()) consider(view)
          return false
        },
        // Pressed before the button of the picker has come over it, as fingers do.
        mousedown(view, event) {
          const { target, button } = event
          const isLabel = target instanceof Element && target.matches('.code-language')
          if (!isLabel || button !== 0 || !view.editable) return false
          event.preventDefault()
          hovered = codeAt(target)
          consider(view)
          pick(true)
          return true
        },
        mouseleave(view, event) {
          const to = event.relatedTarget
          if (to instanceof Element && to.closest('.tools')) return false
          hovered = undefined
          return later(view)
        },
        focus: later,
        blur: later,
      },
    },
    view: () => ({
      update(view) {
        if (!isHeld()) consider(view)
      },
      destroy: () => shown.set({ ...nowhere, isPicking: false }),
    }),
  })
  return { plugin, state: shown, pick }
}

const codeAt = (element: Element): Element | undefined =>
  element.closest('.code-block')?.querySelector('pre > code') ?? undefined

const isInTools = () => document.activeElement?.closest('.tools') != null
